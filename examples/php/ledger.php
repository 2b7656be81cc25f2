<?php

declare(strict_types=1);

/**
 * Customers and their points. REPLACE THIS FILE with one that uses your own database.
 *
 * Each method is one transaction. It checks and books in one step, so that concurrent calls cannot interleave between
 * the two. With your own database, lock the customer's row (SELECT ... FOR UPDATE), and make transactionId and
 * redeemCode unique keys.
 */
final class Ledger
{
    /** The maximum number of points that fits the text format (15 digits). */
    public const MOST_POINTS = 999_999_999_999_999;

    public function __construct(private readonly Database $database, private readonly string $projectCode)
    {
    }

    /** Creates the tables and three demo customers, unless they exist. */
    public function prepare(): void
    {
        $this->database->pdo->exec(<<<'SQL'
            CREATE TABLE IF NOT EXISTS customers (
                uid TEXT PRIMARY KEY, number INTEGER NOT NULL,
                earned INTEGER NOT NULL, redeemed INTEGER NOT NULL CHECK (redeemed BETWEEN 0 AND earned)
            );
            CREATE TABLE IF NOT EXISTS credits (transaction_id TEXT PRIMARY KEY, sent TEXT NOT NULL);
            CREATE TABLE IF NOT EXISTS redemptions (
                redeem_code TEXT PRIMARY KEY, state TEXT NOT NULL, uid TEXT, points INTEGER, sent TEXT
            );
            SQL);
        foreach ([1, 2, 3] as $number) {
            $this->database->run('INSERT OR IGNORE INTO customers VALUES (?, ?, 10000, 0)', "CUST000$number", $number);
        }
    }

    /** Returns a customer's profile and points. */
    public function find(string $uid): array
    {
        ['number' => $number, 'earned' => $earned, 'redeemed' => $redeemed] = $this->customer($uid);
        $points = ['totalEarned' => $earned, 'balance' => $earned - $redeemed, 'totalRedeemed' => $redeemed];
        return ['profile' => $this->demoProfile($number), 'points' => $points];
    }

    /** Credits points once per transactionId. $values is a fingerprint of the fields that a repeat must match. */
    public function credit(string $transactionId, string $uid, int $points, string $values): void
    {
        $this->database->transaction(function () use ($transactionId, $uid, $points, $values): void {
            $before = $this->database->row('SELECT sent FROM credits WHERE transaction_id = ?', $transactionId);
            if ($before !== null && $before['sent'] !== $values) {
                throw new Refused(422, 'transactionId was used with other values.');
            }
            if ($before !== null) {
                return;
            }
            if ($this->customer($uid)['earned'] + $points > self::MOST_POINTS) {
                throw new Refused(422, 'The account cannot hold so many points.');
            }
            $this->database->run('INSERT INTO credits VALUES (?, ?)', $transactionId, $values);
            $this->database->run('UPDATE customers SET earned = earned + ? WHERE uid = ?', $points, $uid);
        });
    }

    /** Deducts points once per redeemCode, never more than the balance. Returns the balance. */
    public function deduct(string $redeemCode, string $uid, int $points, string $values): int
    {
        return $this->database->transaction(function () use ($redeemCode, $uid, $points, $values): int {
            $balance = $this->balance($uid);
            $before = $this->redemption($redeemCode);
            if ($before === null) {
                if ($points > $balance) {
                    throw new Refused(422, 'User points have changed.');
                }
                $this->database->run("INSERT INTO redemptions VALUES (?, 'Pending', ?, ?, ?)", $redeemCode, $uid, $points, $values);
                $this->database->run('UPDATE customers SET redeemed = redeemed + ? WHERE uid = ?', $points, $uid);
                return $balance - $points;
            }
            if ($before['state'] === 'Rejected') {
                throw new Refused(422, 'Order already Rejected.');
            }
            if ($before['sent'] !== $values) {
                throw new Refused(422, 'redeemCode was used with other values.');
            }
            return $balance;
        });
    }

    /** Records the status of a redemption: Pending, Delivered or Rejected. Rejected refunds the points, once. */
    public function report(string $redeemCode, string $status): void
    {
        $this->database->transaction(fn (): ?Refused => $this->recordStatus($redeemCode, $status));
    }

    /** Rejects a redemption in version 2.0, where the call must name the deducted points. Returns the balance. */
    public function reverse(string $redeemCode, int $points): int
    {
        return $this->database->transaction(function () use ($redeemCode, $points): int|Refused {
            $before = $this->redemption($redeemCode);
            if ($before !== null && $before['uid'] !== null && $before['points'] !== $points) {
                throw new Refused(422, 'redeemCode was used with other values.');
            }
            return $this->recordStatus($redeemCode, 'Rejected') ?? $this->balance($before['uid']);
        });
    }

    private function recordStatus(string $redeemCode, string $status): ?Refused
    {
        $before = $this->redemption($redeemCode);
        if ($before === null || $before['uid'] === null) {
            // Remember a rejection that arrives before its deduction, because the late deduction must be refused.
            if ($status === 'Rejected') {
                $this->database->run("INSERT OR IGNORE INTO redemptions VALUES (?, 'Rejected', NULL, NULL, NULL)", $redeemCode);
            }
            return new Refused(422, 'Unknown redeemCode.');
        }
        if ($before['state'] === $status) {
            return null;
        }
        if ($before['state'] !== 'Pending') {
            return new Refused(422, "Order already {$before['state']}.");
        }
        $this->database->run('UPDATE redemptions SET state = ? WHERE redeem_code = ?', $status, $redeemCode);
        if ($status === 'Rejected') {
            $this->database->run('UPDATE customers SET redeemed = redeemed - ? WHERE uid = ?', $before['points'], $before['uid']);
        }
        return null;
    }

    private function redemption(string $redeemCode): ?array
    {
        return $this->database->row('SELECT * FROM redemptions WHERE redeem_code = ?', $redeemCode);
    }

    private function balance(string $uid): int
    {
        $customer = $this->customer($uid);
        return $customer['earned'] - $customer['redeemed'];
    }

    private function customer(string $uid): array
    {
        return $this->database->row('SELECT * FROM customers WHERE uid = ?', $uid) ?? throw new Refused(422, 'Unknown customer.');
    }

    private function demoProfile(int $number): array
    {
        return [
            'uid' => "CUST000$number",
            'name' => "Demo Customer $number",
            'email' => "customer$number@example.com",
            'mobileNo' => "500000000$number",
            'dob' => '14/08/1991',
            'address1' => '12 Lake View Road',
            'address2' => '',
            'city' => 'Bengaluru',
            'pincode' => 560038,
            'state' => 29,
            'cus_type' => 'INDIVIDUAL',
            'partnerType' => 'RETAIL',
            'pan' => 'ABCXI1234K',
            'panVerifiedStatus' => 'VERIFIED',
            'mdate' => '',
            'projectCode' => $this->projectCode,
            'projectName' => 'Demo Rewards',
            'projectId' => 101,
        ];
    }
}
