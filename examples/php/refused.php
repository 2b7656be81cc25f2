<?php

declare(strict_types=1);

/** A refused call. The server converts it to the error reply that the interface defines. */
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
