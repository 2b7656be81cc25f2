<?php

declare(strict_types=1);

/** Creates the parts of the server from the settings that the README lists. */

require_once __DIR__ . '/refused.php';
require_once __DIR__ . '/database.php';
require_once __DIR__ . '/ledger.php';
require_once __DIR__ . '/tokens.php';
require_once __DIR__ . '/otp.php';
require_once __DIR__ . '/operations.php';

function setting(string $name, string $otherwise = ''): string
{
    $value = (string) getenv($name);
    return $value === '' ? $otherwise : $value;
}

function ledger(Database $database): Ledger
{
    return new Ledger($database, setting('PROJECT_CODE', 'DEMO01'));
}

function oneTimePasswords(Database $database): OneTimePasswords
{
    return new OneTimePasswords($database, (int) setting('OTP_LIMIT', '5'));
}

function database(): Database
{
    return new Database(setting('LEDGER_FILE', __DIR__ . '/ledger.sqlite'));
}

function operations(): Operations
{
    $database = database();
    $tokens = new Tokens(setting('SERVICE_TOKEN'), setting('BASIC_USER'), setting('BASIC_PASSWORD'), setting('JWT_SECRET'));
    $gateway = new MessageGateway(setting('MESSAGE_GATEWAY_URL'), setting('MESSAGE_GATEWAY_AUTHORIZATION'));
    $projectCode = setting('PROJECT_CODE', 'DEMO01');
    return new Operations(ledger($database), $tokens, oneTimePasswords($database), $gateway, $projectCode);
}
