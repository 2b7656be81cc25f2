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
         * @description Returns 200 while the process can respond. It checks neither workspaces nor disks. Restart an instance that does not respond.
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
         * @description Returns 200 once the sandbox is ready. Returns 503 during startup and shutdown, after a store has failed (OP-94: restart the instance), and
         *     while the process may no longer own the workspaces (OP-199). An instance that cannot reach another one stays ready for the workspaces that it
         *     owns, and `X-Problem` names the unreachable instance (OP-207).
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
         * Read the metrics
         * @description Returns metrics in the Prometheus text format 0.0.4. Names begin with `rewards_sandbox_`; process metrics have Node's usual names.
         *
         *     | Metric | Meaning |
         *     |---|---|
         *     | `calls_total` | answered calls, by `api`, `operation` and `status`; `operation` is `none` for a path outside the contracts |
         *     | `call_duration_seconds` | from entering the queue to the end of the response, by `api` and `operation`; excludes streams |
         *     | `refused_calls_total` | calls that did not reach an operation, by `status`: invalid HTTP, overload, shutdown |
         *     | `workspaces`, `workspaces_limit` | number of workspaces, and the maximum |
         *     | `workspaces_loaded` | workspaces in memory (OP-211) |
         *     | `workspaces_unusable` | unusable workspaces, by `why`: the store failed (`gave_up`), another instance may own it (`paused`), or its data cannot be loaded (`load_failed`) |
         *     | `lease_seconds` | with PostgreSQL: remaining time for which this process owns the workspaces in memory; 0 if it serves none |
         *     | `leases_lost` | with PostgreSQL: leases that expired before they were renewed |
         *     | `clock_skew_seconds` | with PostgreSQL: lead of this machine's clock over PostgreSQL's, which sandbox time follows (OP-236) |
         *     | `instances_unreachable` | with `--share`: running instances that this one cannot reach; calls to the workspaces that they own get 503 (OP-207) |
         *     | `due_lag_seconds` | age of the oldest due work, over all workspaces |
         *     | `commits_total`, `committed_transactions_total`, `committed_bytes_total` | batches written, transactions in them, and their size |
         *     | `flush_duration_seconds` | time that the disk or PostgreSQL took to persist a batch |
         *     | `log_write_failures_total` | failed writes to stdout or stderr, such as on a full disk; those lines are lost |
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
            /** @description The error and its location. */
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
         * @description The refused part of the request and the expected value. The interface fixes the envelope's message, so this header contains the details.
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
            /** @description The process is alive. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liveness"];
                };
            };
            /** @description The request headers cannot be read, or `Host` is not an address of this sandbox. */
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
            /** @description The instance is ready for calls. `X-Problem` names the instances that it cannot reach. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "X-Problem": components["headers"]["Problem"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description The request headers cannot be read, or `Host` is not an address of this sandbox. */
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
            /** @description The instance is not ready for calls, and `X-Problem` contains the reason; or it has too many connections. */
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
            /** @description The current metrics. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The request headers cannot be read, or `Host` is not an address of this sandbox. */
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
