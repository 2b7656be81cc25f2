<?php

declare(strict_types=1);

/**
 * A rewards sandbox in PHPUnit: one process for the whole run, and one workspace for each test.
 *
 *     final class RedemptionTest extends RewardsSandbox\SandboxTestCase
 *     {
 *         public function testAVoucherIsDelivered(): void { $this->workspace->order('CUST0001', 'EGV-SPICE-500'); }
 *     }
 *
 * The command in REWARDS_SANDBOX_COMMAND starts the sandbox ("rewards-sandbox" by default). To use a
 * running sandbox instead, set REWARDS_SANDBOX_URL to its control API, such as http://127.0.0.1:4010/sandbox/v1. Needs PHP 8.1 and
 * PHPUnit 9.6 or newer.
 */

namespace RewardsSandbox;

use PHPUnit\Framework\AssertionFailedError;
use PHPUnit\Framework\TestCase;

/** The response to a call. `body` is null unless it is JSON. */
final class Answer
{
    public function __construct(public readonly int $status, public readonly mixed $body, public readonly string $text)
    {
    }
}

/** Makes a call. Returns responses with an error status too. Throws if there is no response. */
function call(string $method, string $url, ?array $body = null, array $headers = []): Answer
{
    $lines = ['Content-Type: application/json'];
    foreach ($headers as $name => $value) {
        $lines[] = "$name: $value";
    }
    $http = ['method' => $method, 'header' => $lines, 'ignore_errors' => true, 'timeout' => 90, 'follow_location' => 0];
    if ($body !== null) {
        // Encode an empty array as an object, because no request body of the interface is a list.
        $http['content'] = json_encode($body === [] ? new \stdClass() : $body, JSON_THROW_ON_ERROR);
    }
    $response = @fopen($url, 'rb', false, stream_context_create(['http' => $http]));
    if ($response === false) {
        throw new \RuntimeException("$method $url got no response");
    }
    preg_match('#^HTTP/\S+ (\d{3})#', stream_get_meta_data($response)['wrapper_data'][0], $found);
    $text = stream_get_contents($response);
    fclose($response);
    return new Answer((int) $found[1], json_decode($text, true), $text);
}

/** Makes a call and returns the body of the response. Fails the test if the call is refused. */
function accepted(string $method, string $url, ?array $body = null, array $headers = []): mixed
{
    $answer = call($method, $url, $body, $headers);
    if ($answer->status >= 400) {
        throw new AssertionFailedError("$method $url returned {$answer->status}: {$answer->text}");
    }
    return $answer->body;
}

/** The workspace of one test, with its own customers, catalogue, ledger, clock and credentials. */
final class Workspace
{
    /** @var array<string, string> */
    public readonly array $urls;
    public readonly array $credentials;
    private readonly string $id;
    private readonly array $admin;

    public function __construct(array $created)
    {
        $this->id = $created['id'];
        $this->urls = $created['urls'];
        $this->credentials = $created['credentials'];
        $this->admin = ['Authorization' => 'Bearer ' . $created['admin_token']];
    }

    /** Calls the control API and returns the body. Fails the test if the call is refused. */
    public function control(string $method, string $path, ?array $body = null): mixed
    {
        return accepted($method, $this->urls['sandbox'] . $path, $body, $this->admin);
    }

    /** Returns the token that your server sends to the platform. */
    public function companyToken(): string
    {
        $secret = ['secret' => $this->credentials['company_secret']];
        return accepted('POST', $this->urls['rewards'] . '/v1/company/auth', $secret)['token'];
    }

    /** Orders one item with the company token, as your server does. Fails the test if the order is refused. */
    public function order(string $uid, string $sku): array
    {
        $body = ['uid' => $uid, 'line_items' => [['sku' => $sku, 'quantity' => 1]]];
        $url = $this->urls['rewards'] . '/v1/partner/redeemptiononskus';
        return accepted('POST', $url, $body, ['Authorization' => $this->companyToken()]);
    }

    /** Makes the platform call your own client server instead of the reference client. */
    public function pointAt(string $clientUrl, string $serviceToken): void
    {
        $settings = ['client_url' => $clientUrl, 'client_token' => $serviceToken];
        $this->control('PATCH', '/workspace', ['settings' => $settings]);
    }

    /** Advances the clock, and runs everything that becomes due: deliveries, reversals, credits. */
    public function advance(int $seconds): void
    {
        $this->control('POST', '/clock/advance', ['seconds' => $seconds]);
    }

    /** Runs everything that is due now. */
    public function settle(): void
    {
        $this->control('POST', '/settle');
    }

    /** Returns the balance and entries of a customer in the client's ledger. */
    public function ledger(string $uid): array
    {
        return $this->control('GET', "/ledger/$uid");
    }

    /** Fails if the points of platform and client differ, or a delivery is pending. */
    public function assertBooksEven(): void
    {
        $differences = $this->control('GET', '/reconciliation');
        if ($differences !== ['items' => [], 'next' => null]) {
            throw new AssertionFailedError('the ledgers differ: ' . json_encode($differences, JSON_PRETTY_PRINT));
        }
    }

    /** Fails if either side violated the interface in this test. */
    public function assertContractsKept(): void
    {
        $found = $this->control('GET', '/findings?severity=error&wait=60');
        if ($found['items'] !== []) {
            $items = json_encode($found['items'], JSON_PRETTY_PRINT);
            throw new AssertionFailedError("calls break what the interface states: $items");
        }
        if ($found['checked_to'] !== $found['newest']) {
            throw new AssertionFailedError('calls were not validated within 60 s');
        }
    }

    public function delete(): void
    {
        call('DELETE', $this->urls['sandbox'] . "/workspaces/{$this->id}", null, $this->admin);
    }
}

/** A sandbox for the whole run. */
final class Sandbox
{
    private static ?string $url = null;
    /** @var resource The process. PHP closes its pipes when nothing refers to it, and the sandbox then stops. */
    private static $process;

    /** Returns the address of the control API. The first call starts the sandbox, and PHP stops it at the end. */
    public static function url(): string
    {
        $running = getenv('REWARDS_SANDBOX_URL');
        return self::$url ??= $running !== false && $running !== '' ? $running : self::start();
    }

    /** Creates a workspace with a frozen clock. */
    public static function workspace(): Workspace
    {
        $answer = call('POST', self::url() . '/workspaces', ['clock' => 'frozen']);
        if ($answer->status !== 201) {
            throw new AssertionFailedError("no workspace: {$answer->status} {$answer->text}");
        }
        return new Workspace($answer->body);
    }

    private static function start(): string
    {
        $command = getenv('REWARDS_SANDBOX_COMMAND') ?: 'rewards-sandbox';
        $flags = ['--port', '0', '--json', '--no-docs', '--workspaces', '2000', '--store', 'memory', '--exit-with-parent'];
        // The standard input of the sandbox closes when this process ends, however it ends.
        $process = proc_open([...explode(' ', $command), ...$flags], [['pipe', 'r'], ['pipe', 'w']], $pipes);
        $line = $process === false ? false : fgets($pipes[1]);
        if ($line === false) {
            throw new \RuntimeException("$command did not start");
        }
        self::$process = $process;
        return json_decode($line, true, 512, JSON_THROW_ON_ERROR)['urls']['sandbox'];
    }
}

/** A test with a workspace. If it passes, the points of both sides must agree. The workspace is then deleted. */
abstract class SandboxTestCase extends TestCase
{
    protected Workspace $workspace;

    protected function setUp(): void
    {
        $this->workspace = Sandbox::workspace();
    }

    protected function assertPostConditions(): void
    {
        $this->workspace->assertBooksEven();
        $this->addToAssertionCount(1);
    }

    protected function tearDown(): void
    {
        if (isset($this->workspace)) {
            $this->workspace->delete();
        }
    }
}
