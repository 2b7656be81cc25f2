/* Written by `npm run generate` from openapi/. Do not edit. */
export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process is alive
         * @description Answers 200 as long as the process can answer at all. It looks at no workspace and no disk. Restart what does not answer.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether this instance accepts calls
         * @description 200 once the sandbox is ready. 503 during startup and shutdown, after a store has failed (OP-94: restart it), and while it is
         *     not certain that this process still owns the workspaces (OP-199).
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the measurements
         * @description In the text form of Prometheus, 0.0.4. Names begin with `rewards_sandbox_`, and those of the process are the usual ones of Node.
         *
         *     | metric | what it is |
         *     |---|---|
         *     | `calls_total` | calls that were answered, by `api`, `operation` and `status`; `operation` is `none` for a path outside the contracts |
         *     | `call_duration_seconds` | from the place in the queue to the end of the reply, by `api` and `operation`; readers of streams are left out |
         *     | `refused_calls_total` | calls that did not reach an operation, by `status`: invalid HTTP, overload, shutdown |
         *     | `workspaces`, `workspaces_limit` | how many there are, and can be |
         *     | `workspaces_loaded` | how many of them are in memory (OP-211) |
         *     | `workspaces_unusable` | workspaces whose store gave up (`gave_up`), that may have another owner (`paused`), or whose data cannot be loaded (`load_failed`), by `why` |
         *     | `lease_seconds` | with PostgreSQL: for how long the workspaces in memory are this process's own without a renewal; 0 where it answers nothing |
         *     | `leases_lost` | with PostgreSQL: how often the lease ended before it was renewed |
         *     | `clock_skew_seconds` | with PostgreSQL: how far the clock of this machine is ahead of PostgreSQL's, which sandbox time follows (OP-236) |
         *     | `due_lag_seconds` | for how long the work has been due that waits longest, of all workspaces |
         *     | `commits_total`, `committed_transactions_total`, `committed_bytes_total` | batches that were written, what was in them, and their size |
         *     | `flush_duration_seconds` | how long the disk, or PostgreSQL, took to keep what was written |
         *     | `log_write_failures_total` | writes to stdout or stderr that failed, as on a full disk; those lines are lost |
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Liveness: {
            /** @constant */
            status: "ok";
            /** @description Version of the sandbox. */
            version: string;
        };
        Readiness: {
            /** @constant */
            status: "ready";
        };
        /** @description The error. Branch on `code` (OP-13), not on `type` (OP-14). */
        FlatError: {
            /** @description The reason phrase of the status. */
            name: string;
            /** @description What is wrong and where. */
            message: string;
            /** @description 50 for an invalid `type`, 51 for an invalid or expired `cursor` (X6, X7). Other errors have codes of this sandbox (OP-13). */
            code: number;
            /** @description The HTTP status. */
            status: number;
            /** @description Class name of the server's exception. */
            type: string;
        };
    };
    responses: {
        /** @description The server failed. */
        InternalError: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The server cannot accept the call now. */
        Unavailable: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this call in the activity log. Include it in support requests. If you send a W3C `traceparent` header, this is its trace id.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        TraceId: string;
        /**
         * @description Seconds to wait before the next attempt.
         * @example 42
         */
        RetryAfter: number;
        /**
         * @description Which part of the request was refused and what is expected. The interface fixes the envelope's message, so the detail is in this header.
         * @example /redeemPoints must be a whole number as text, such as "250"
         */
        Problem: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It lives. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liveness"];
                };
            };
            /** @description The head of the request cannot be read, or its `Host` is not this sandbox. */
            400: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Send calls. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description The head of the request cannot be read, or its `Host` is not this sandbox. */
            400: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatError"];
                };
            };
            500: components["responses"]["InternalError"];
            /** @description Send no calls; `X-Problem` says why. Or there are too many connections, as everywhere. */
            503: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "X-Problem": components["headers"]["Problem"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatError"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The measurements as of now. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The head of the request cannot be read, or its `Host` is not this sandbox. */
            400: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
