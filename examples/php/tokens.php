<?php

declare(strict_types=1);

/** Authenticates callers by the customer's JWT, the platform's service token or the microsite's Basic credentials. */
final class Tokens
{
    private const ISSUER = 'client';
    private const AUDIENCE = 'rewards-platform';

    /** Returns the lifetime of a customer's token, in seconds. */
    public static function seconds(): int
    {
        return (int) (getenv('TOKEN_SECONDS') ?: 1800);
    }

    public function __construct(
        private readonly string $serviceToken,
        private readonly string $basicUser,
        private readonly string $basicPassword,
        private readonly string $jwtSecret,
    ) {
    }

    /** Signs a JWT for a customer. */
    public function sign(string $uid): string
    {
        $now = time();
        $claims = ['iss' => self::ISSUER, 'aud' => self::AUDIENCE, 'sub' => $uid, 'iat' => $now];
        $claims += ['exp' => $now + self::seconds(), 'jti' => bin2hex(random_bytes(16))];
        $signed = self::header() . '.' . self::encode(json_encode($claims, JSON_THROW_ON_ERROR));
        return "$signed.{$this->signature($signed)}";
    }

    /** Identifies the caller. Returns the uid of a customer's JWT, or null for the service token. */
    public function customerOrService(string $authorization): ?string
    {
        $token = self::bearer($authorization);
        return hash_equals($this->serviceToken, $token) ? null : $this->subject($token);
    }

    public function service(string $authorization): null
    {
        if (!hash_equals($this->serviceToken, self::bearer($authorization))) {
            throw Refused::tokenInvalid();
        }
        return null;
    }

    public function microsite(string $authorization): null
    {
        $given = preg_match('~^Basic +([\w+/=]+)$~Di', $authorization, $match) ? base64_decode($match[1], true) : '';
        if (!hash_equals("$this->basicUser:$this->basicPassword", (string) $given)) {
            $challenge = ['WWW-Authenticate' => 'Basic realm="client"'];
            throw new Refused(401, 'Missing or invalid Basic credentials', $challenge);
        }
        return null;
    }

    /** Returns the customer of a valid JWT. Checks its algorithm, signature, issuer, audience and expiry. */
    private function subject(string $token): string
    {
        $parts = explode('.', $token);
        // Accept only the header that we write, so that no token can choose its own algorithm, such as none.
        if (count($parts) !== 3 || $parts[0] !== self::header()) {
            throw Refused::tokenInvalid();
        }
        if (!hash_equals($this->signature("$parts[0].$parts[1]"), $parts[2])) {
            throw Refused::tokenInvalid();
        }
        $claims = json_decode(base64_decode(strtr($parts[1], '-_', '+/')), true, 16, JSON_THROW_ON_ERROR);
        if ($claims['iss'] !== self::ISSUER || $claims['aud'] !== self::AUDIENCE || $claims['exp'] <= time()) {
            throw Refused::tokenInvalid();
        }
        return $claims['sub'];
    }

    private function signature(string $text): string
    {
        return self::encode(hash_hmac('sha256', $text, $this->jwtSecret, true));
    }

    private static function header(): string
    {
        return self::encode('{"alg":"HS256","typ":"JWT"}');
    }

    private static function bearer(string $authorization): string
    {
        if (!preg_match('/^Bearer +([!-~]+)$/Di', $authorization, $match)) {
            throw Refused::tokenInvalid();
        }
        return $match[1];
    }

    private static function encode(string $bytes): string
    {
        return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    }
}
