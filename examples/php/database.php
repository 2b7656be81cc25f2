<?php

declare(strict_types=1);

/**
 * Stores the data between calls, because PHP starts from scratch for each one. Uses one SQLite file, and transactions
 * that lock it when they start, so that concurrent calls wait for each other.
 */
final class Database
{
    public readonly PDO $pdo;

    public function __construct(string $file)
    {
        $this->pdo = new PDO("sqlite:$file", null, null, [
            PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
            PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC,
            PDO::ATTR_TIMEOUT => 10,
        ]);
    }

    /**
     * Runs a function as one transaction. Commits all its changes, or none if it throws. To commit and still refuse the
     * call, the function returns a Refused instead of throwing it.
     */
    public function transaction(callable $work): mixed
    {
        $this->pdo->exec('BEGIN IMMEDIATE');
        try {
            $result = $work();
            $this->pdo->exec('COMMIT');
        } catch (Throwable $error) {
            $this->pdo->exec('ROLLBACK');
            throw $error;
        }
        if ($result instanceof Refused) {
            throw $result;
        }
        return $result;
    }

    /** Returns the first row of a query, or null. */
    public function row(string $sql, mixed ...$values): ?array
    {
        $row = $this->run($sql, ...$values)->fetch();
        return $row === false ? null : $row;
    }

    public function run(string $sql, mixed ...$values): PDOStatement
    {
        $statement = $this->pdo->prepare($sql);
        $statement->execute($values);
        return $statement;
    }
}
