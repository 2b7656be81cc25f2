<?php

declare(strict_types=1);

/** Starts PHP's built-in server with several workers, prints its address, and shuts it down gracefully. */

require_once __DIR__ . '/settings.php';

foreach (['SERVICE_TOKEN', 'BASIC_USER', 'BASIC_PASSWORD'] as $name) {
    if (setting($name) === '') {
        fwrite(STDERR, "Set $name: the README explains it.\n");
        exit(1);
    }
}
ledger(database())->prepare();
oneTimePasswords(database())->prepare();

$port = (int) setting('PORT', '8080');
if ($port === 0) {
    // The built-in server does not report which free port it uses, so find one first.
    $probe = stream_socket_server('tcp://127.0.0.1:0');
    $port = (int) substr(strrchr(stream_socket_get_name($probe, false), ':'), 1);
    fclose($probe);
}
// Use a separate process group, so that the stop signal reaches all workers and no other process.
posix_setpgid(0, 0);
$env = getenv();
$env['JWT_SECRET'] = setting('JWT_SECRET', bin2hex(random_bytes(32)));
$env['PHP_CLI_SERVER_WORKERS'] = setting('PHP_CLI_SERVER_WORKERS', '4');
$command = [PHP_BINARY, '-d', 'display_errors=0', '-q', '-S', "127.0.0.1:$port", '-t', __DIR__, __DIR__ . '/server.php'];
$server = proc_open($command, [STDIN, STDOUT, STDERR], $pipes, __DIR__, $env);

pcntl_async_signals(true);
$stopping = false;
$stop = function () use (&$stopping): void {
    $stopping = true;
    // Workers shut down gracefully on SIGINT: they finish calls in progress.
    pcntl_signal(SIGINT, SIG_IGN);
    posix_kill(0, SIGINT);
};
pcntl_signal(SIGTERM, $stop);
pcntl_signal(SIGINT, $stop);

$said = false;
while (($status = proc_get_status($server))['running']) {
    if (!$said && $connection = @stream_socket_client("tcp://127.0.0.1:$port", timeout: 1)) {
        fclose($connection);
        echo "listening on http://127.0.0.1:$port\n";
        $said = true;
    }
    usleep($said ? 200_000 : 20_000);
}
exit($stopping ? 0 : max(1, $status['exitcode']));
