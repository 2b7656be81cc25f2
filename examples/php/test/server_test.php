<?php

declare(strict_types=1);

/** Tests without a framework, against a server that this script starts. Exits with 1 if a test fails. */

$file = tempnam(sys_get_temp_dir(), 'ledger');
$settings = ['SERVICE_TOKEN' => 'service', 'BASIC_USER' => 'user', 'BASIC_PASSWORD' => 'password'];
$env = $settings + ['PORT' => '0', 'LEDGER_FILE' => $file] + getenv();
$server = proc_open([PHP_BINARY, __DIR__ . '/../serve.php'], [1 => ['pipe', 'w'], 2 => ['file', '/dev/null', 'w']], $pipes, null, $env);
$address = substr(trim((string) fgets($pipes[1])), strlen('listening on '));
register_shutdown_function(function () use ($server, $file): void {
    proc_terminate($server);
    proc_close($server);
    unlink($file);
});

function call(string $path, array $body = [], string $authorization = 'Bearer service'): array
{
    global $address;
    $headers = "Authorization: $authorization\r\nContent-Type: application/json";
    $options = ['method' => 'POST', 'header' => $headers, 'content' => json_encode((object) $body), 'ignore_errors' => true];
    return json_decode(file_get_contents($address . $path, false, stream_context_create(['http' => $options])), true);
}

function balance(): int
{
    return call('/getProfileAndPoints?uid=CUST0001')['points']['balance'];
}

function save(string $redeemCode, int $points): array
{
    $total = (string) $points;
    return call('/saveRedeemDetails', [
        'uid' => 'CUST0001', 'scheme' => 'DEMO01', 'redeemCode' => $redeemCode, 'redeemPoints' => $total,
        'shippingAddress' => '', 'processingFee' => '0', 'productCode' => 'EGV-1', 'productName' => 'Voucher',
        'quantity' => '1', 'redeemStatus' => 'pending', 'email' => '', 'mobileNo' => '', 'totalpoints' => $total,
        'totalPointWithProcessingFee' => $total, 'tdsSingleItem' => '0',
    ]);
}

function report(string $code, string $status): array
{
    $body = ['redeemCode' => $code, 'status' => $status, 'orderStatus' => $status, 'remark' => '', 'projectCode' => 'DEMO01'];
    return call('/updateRedeemStatus', $body);
}

function equal(mixed $wanted, mixed $got): void
{
    if ($wanted !== $got) {
        throw new RuntimeException('wanted ' . json_encode($wanted) . ', got ' . json_encode($got));
    }
}

$tests = [
    'points are credited once for each transactionId' => function (): void {
        $before = balance();
        $event = ['uid' => 'CUST0001', 'eventType' => 'DIGITAL_PAYMENT', 'transactionId' => 'T1', 'paymentAmount' => '10'];
        equal(200, call('/creditPoints', $event + ['points' => '7'])['status']);
        equal(200, call('/creditPoints', $event + ['points' => '7'])['status']);
        equal(422, call('/creditPoints', $event + ['points' => '8'])['status']);
        equal($before + 7, balance());
    },
    'a deduction is made once, and refunded once on Rejected' => function (): void {
        $before = balance();
        equal(200, save('R1', 500)['status']);
        equal(200, save('R1', 500)['status']);
        equal($before - 500, balance());
        equal(200, report('R1', 'Rejected')['status']);
        equal(200, report('R1', 'Rejected')['status']);
        equal($before, balance());
        equal('Order already Rejected.', report('R1', 'Delivered')['data']['message']);
    },
    'a deduction that comes after its rejection is refused' => function (): void {
        equal('Unknown redeemCode.', report('R2', 'Rejected')['data']['message']);
        equal('Order already Rejected.', save('R2', 1)['data']['message']);
    },
    'what the balance does not cover is refused' => function (): void {
        $before = balance();
        equal('User points have changed.', save('R3', $before + 1)['data']['message']);
        equal($before, balance());
    },
    'a token that does not hold is 422 Token Invalid' => function (): void {
        foreach (['x', 'Bearer x', 'Bearer a.b.c'] as $authorization) {
            $data = call('/getProfileAndPoints?uid=CUST0001', [], $authorization)['data'];
            equal([422, 'Token Invalid'], [$data['status'], $data['message']]);
        }
    },
    'a one-time password that nobody was sent does not sign in' => function (): void {
        $body = ['customer_id' => 'CUST0001', 'otp' => '000000', 'reference_id' => 'x'];
        equal(422, call('/api/v1/auth/verify-otp', $body, 'Basic ' . base64_encode('user:password'))['status']);
        equal(401, call('/api/v1/auth/verify-otp', $body, 'Basic x')['status']);
    },
];

foreach ($tests as $title => $test) {
    try {
        $test();
        echo "passed: $title\n";
    } catch (Throwable $error) {
        echo "FAILED: $title: {$error->getMessage()}\n";
        exit(1);
    }
}
