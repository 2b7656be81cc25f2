<?php

declare(strict_types=1);

/**
 * Handles one call. PHP's built-in server runs this file for each call (see serve.php), and any other web server can
 * too.
 */

require_once __DIR__ . '/settings.php';

const MOST_BYTES = 64 * 1024;
const NAMES = [
    400 => 'Bad Request',
    401 => 'Unauthorized',
    404 => 'Not Found',
    405 => 'Method Not Allowed',
    413 => 'Payload Too Large',
    415 => 'Unsupported Media Type',
    422 => 'Unprocessable entity',
    500 => 'Internal Server Error',
    503 => 'Service Unavailable',
];

function answer(): array
{
    [$path] = explode('?', $_SERVER['REQUEST_URI'], 2);
    $operation = operations()->byPath()[$path] ?? throw new Refused(404, 'Not found');
    [$method, $callerOf, $hasBody, $run] = $operation;
    if ($_SERVER['REQUEST_METHOD'] !== $method) {
        throw new Refused(405, 'Method not allowed', ['Allow' => $method]);
    }
    // Check the token before the body, so that callers without one learn nothing about the rest.
    $caller = $callerOf($_SERVER['HTTP_AUTHORIZATION'] ?? '');
    return $run($caller, $hasBody ? parsed() : $_GET);
}

function parsed(): array
{
    // Read one byte more than the limit, to detect larger bodies.
    $body = (string) file_get_contents('php://input', false, null, 0, MOST_BYTES + 1);
    if (strlen($body) > MOST_BYTES) {
        throw new Refused(413, 'Request body is larger than 64 KiB');
    }
    $type = strtolower(trim(explode(';', $_SERVER['CONTENT_TYPE'] ?? $_SERVER['HTTP_CONTENT_TYPE'] ?? '')[0]));
    if ($body === '' && $type === '') {
        throw Refused::mandatory();
    }
    if ($type !== 'application/json') {
        throw new Refused(415, 'Content-Type must be application/json');
    }
    if ($body === '') {
        throw Refused::mandatory();
    }
    try {
        $value = json_decode($body, false, 32, JSON_THROW_ON_ERROR);
    } catch (JsonException) {
        throw new Refused(400, 'Invalid request: the body is not well-formed JSON');
    }
    // Decode to an object, because an array would not distinguish {} from [].
    return $value instanceof stdClass ? get_object_vars($value) : throw Refused::mandatory();
}

function envelope(int $status, string $message): array
{
    $name = NAMES[$status];
    $type = ($status === 422 ? 'UnprocessableEntity' : str_replace(' ', '', $name)) . 'HttpException';
    $data = ['name' => $name, 'message' => $message, 'code' => 0, 'status' => $status, 'type' => $type];
    return ['success' => false, 'status' => $status, 'data' => $data];
}

function write(int $status, array $body, array $headers = []): void
{
    $text = json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
    http_response_code($status);
    header('Content-Type: application/json');
    header('Cache-Control: no-store');
    header('Content-Length: ' . strlen($text));
    foreach ($headers as $name => $value) {
        header("$name: $value");
    }
    if ($_SERVER['REQUEST_METHOD'] !== 'HEAD') {
        echo $text;
    }
}

try {
    write(200, answer());
} catch (Refused $refused) {
    write($refused->status, envelope($refused->status, $refused->getMessage()), $refused->headers);
} catch (Throwable $error) {
    file_put_contents('php://stderr', "$error\n");
    write(500, envelope(500, 'Internal error'));
}
