<?php

declare(strict_types=1);

/** Creates, sends and verifies one-time passwords. */
final class OneTimePasswords
{
    public const OTP_SECONDS = 300;
    private const MOST_TRIES = 5;
    private const WINDOW_SECONDS = 600;

    /**
     * @param int $limit maximum number of codes sent to a customer in ten minutes since the last sign-in; 0 means no
     * limit
     */
    public function __construct(private readonly Database $database, private readonly int $limit)
    {
    }

    /** Creates the table. It stores only the newest code of each customer, because older codes are invalid. */
    public function prepare(): void
    {
        $this->database->pdo->exec(<<<'SQL'
            CREATE TABLE IF NOT EXISTS otps (
                uid TEXT PRIMARY KEY, code TEXT, reference TEXT, until INTEGER, tries INTEGER, used INTEGER, sent TEXT
            );
            SQL);
    }

    /** Creates a code that replaces the customer's previous one. Returns the code and its reference. */
    public function make(string $uid): array
    {
        return $this->database->transaction(function () use ($uid): array {
            $before = $this->database->row('SELECT sent FROM otps WHERE uid = ?', $uid);
            $isRecent = fn (int $at): bool => time() - $at < self::WINDOW_SECONDS;
            $sent = array_values(array_filter(json_decode($before['sent'] ?? '[]'), $isRecent));
            if ($this->limit > 0 && count($sent) >= $this->limit) {
                throw new Refused(422, 'Too many OTP requests. Try again later.');
            }
            $code = sprintf('%06d', random_int(0, 999_999));
            $reference = bin2hex(random_bytes(16));
            $times = json_encode($this->limit > 0 ? [...$sent, time()] : []);
            $until = time() + self::OTP_SECONDS;
            $this->database->run('REPLACE INTO otps VALUES (?, ?, ?, ?, 0, 0, ?)', $uid, $code, $reference, $until, $times);
            return [$code, $reference];
        });
    }

    /** Verifies and consumes a code. Refuses every code except the customer's newest with this reference. */
    public function use(string $uid, string $code, string $reference): void
    {
        $this->database->transaction(function () use ($uid, $code, $reference): ?Refused {
            $otp = $this->database->row('SELECT * FROM otps WHERE uid = ?', $uid);
            if ($otp === null || $otp['reference'] !== $reference) {
                return new Refused(422, 'Unknown reference_id.');
            }
            if ($otp['used'] === 1) {
                return new Refused(422, 'OTP has already been used.');
            }
            if ($otp['tries'] >= self::MOST_TRIES) {
                return new Refused(422, 'Too many attempts for this OTP. Request a new one.');
            }
            $this->database->run('UPDATE otps SET tries = tries + 1 WHERE uid = ?', $uid);
            if (time() >= $otp['until']) {
                return new Refused(422, 'OTP has expired.');
            }
            if (!hash_equals($otp['code'], $code)) {
                return new Refused(422, 'Incorrect OTP.');
            }
            $this->database->run("UPDATE otps SET used = 1, sent = '[]' WHERE uid = ?", $uid);
            return null;
        });
    }
}

/** Sends SMS through the gateway at the given address, or prints them if there is none. */
final class MessageGateway
{
    public function __construct(private readonly string $url, private readonly string $authorization)
    {
    }

    public function send(string $to, string $text, string $customerId, string $referenceId): void
    {
        $message = ['channel' => 'sms', 'to' => $to, 'text' => $text];
        $message += ['customer_id' => $customerId, 'reference_id' => $referenceId];
        $body = json_encode($message, JSON_THROW_ON_ERROR);
        if ($this->url === '') {
            file_put_contents('php://stdout', "message $body\n");
            return;
        }
        $headers = "Content-Type: application/json\r\nConnection: close";
        if ($this->authorization !== '') {
            $headers .= "\r\nAuthorization: $this->authorization";
        }
        $options = ['method' => 'POST', 'header' => $headers, 'content' => $body, 'timeout' => 5];
        $reply = @file_get_contents($this->url, false, stream_context_create(['http' => $options]));
        if ($reply === false) {
            file_put_contents('php://stderr', "The message gateway did not take a message.\n");
            throw new Refused(503, 'Temporarily unavailable');
        }
    }
}
