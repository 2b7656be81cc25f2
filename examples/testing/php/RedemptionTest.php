<?php

declare(strict_types=1);

use RewardsSandbox\Answer;
use RewardsSandbox\SandboxTestCase;
use RewardsSandbox\Workspace;

use function RewardsSandbox\accepted;
use function RewardsSandbox\call;

/** Example tests that each use their own workspace. Your tests would drive your server and check the result. */
final class RedemptionTest extends SandboxTestCase
{
    /** Signs in at the reference client with a one-time password from the outbox. Returns the customer's token. */
    public static function signIn(Workspace $workspace, string $uid): string
    {
        $client = $workspace->urls['client'];
        ['username' => $user, 'password' => $password] = $workspace->credentials['basic'];
        $headers = ['Authorization' => 'Basic ' . base64_encode("$user:$password")];
        $sent = accepted('POST', "$client/api/v1/auth/generate-otp", ['customer_id' => $uid], $headers);
        $otp = $workspace->control('GET', "/messages?uid=$uid")['items'][0]['otp'];
        $code = ['customer_id' => $uid, 'otp' => $otp, 'reference_id' => $sent['reference_id']];
        $jwt = accepted('POST', "$client/api/v1/auth/verify-otp", $code, $headers)['token'];
        $company = ['Authorization' => $workspace->companyToken()];
        $url = $workspace->urls['rewards'] . '/v1/customer/auth';
        return accepted('POST', $url, ['uid' => $uid, 'token' => $jwt], $company)['token'];
    }

    public static function order(Workspace $workspace, string $uid, string $sku): Answer
    {
        $body = ['uid' => $uid, 'line_items' => [['sku' => $sku, 'quantity' => 1]]];
        $url = $workspace->urls['rewards'] . '/v1/partner/redeemptiononskus';
        return call('POST', $url, $body, ['Authorization' => self::signIn($workspace, $uid)]);
    }

    public function testADeliveredVoucherIsRedeemed(): void
    {
        $before = $this->workspace->ledger('CUST0001')['balance'];
        self::assertSame(200, self::order($this->workspace, 'CUST0001', 'EGV-SPICE-500')->status);
        $this->workspace->advance(2);
        $after = $this->workspace->ledger('CUST0001');
        self::assertLessThan($before, $after['balance']);
        $deducted = array_filter($after['items'], fn (array $entry): bool => $entry['kind'] === 'deduct');
        self::assertSame(['Redeemed'], array_column($deducted, 'label'));
        $this->workspace->assertContractsKept();
    }

    public function testARejectedVoucherIsRefunded(): void
    {
        $before = $this->workspace->ledger('CUST0001')['balance'];
        $outcome = ['outcome' => 'reject', 'reason' => 'Not sold here'];
        $this->workspace->control('PUT', '/vendor-outcomes/EGV-SPICE-500', $outcome);
        self::assertSame(200, self::order($this->workspace, 'CUST0001', 'EGV-SPICE-500')->status);
        self::assertLessThan($before, $this->workspace->ledger('CUST0001')['balance']);
        $this->workspace->advance(2);
        self::assertSame($before, $this->workspace->ledger('CUST0001')['balance']);
    }

    public function testEachTestHasALedgerOfItsOwn(): void
    {
        self::assertSame(['credit'], array_column($this->workspace->ledger('CUST0001')['items'], 'kind'));
    }
}
