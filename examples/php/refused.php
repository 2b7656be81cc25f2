<?php

declare(strict_types=1);

/** A call that is not carried out. The server turns it into the reply that the interface states. */
final class Refused extends RuntimeException
{
    /** @param array<string, string> $headers */
    public function __construct(public readonly int $status, string $message, public readonly array $headers = [])
    {
        parent::__construct($message);
    }

    public static function tokenInvalid(): self
    {
        return new self(422, 'Token Invalid');
    }

    public static function mandatory(): self
    {
        return new self(422, 'Please enter the mandatory details to proceed further.');
    }
}
