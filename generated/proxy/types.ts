/* Written by `npm run generate` from openapi/. Do not edit. */
export interface paths {
    "/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what was found so far
         * @description The findings since the start of the proxy and the coverage of the contracts. The same finding seen again is
         *     counted, not repeated. It is asked for as the control API is: with the admin token that the proxy was started with, as
         *     `Authorization: Bearer`; while none was given and the proxy listens on loopback, this machine needs none, unless the
         *     call was passed on by another proxy (OP-65).
         */
        get: operations["getReport"];
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
        Finding: components["schemas"]["FindingFields"] & {
            /** @description How often it was seen. */
            times: number;
            /**
             * @description Present where Prism alone found it, as the second opinion of the proxy. It is a warning then: either Prism is wrong, or this sandbox's validator.
             * @constant
             */
            source?: "prism";
        };
        CoverageCell: {
            api: string;
            operation: string;
            /** @enum {string} */
            direction: "request" | "reply";
            /** @description Null for a request. */
            status: number | null;
            /** @description Whether the cell counts towards `percent`: requests and successes of the wanted contracts do. */
            counted: boolean;
            seen: number;
            /** @description How many of them had findings. */
            faulty: number;
        };
        StatementCoverage: {
            /** @description The statement in docs/interface.md, such as `A5`. */
            id: string;
            /**
             * @description `not_observed` where no exchange exercised the statement, or too little is known of it; `not_visible` where no traffic can show it.
             * @enum {string}
             */
            state: "kept" | "violated" | "not_observed" | "not_visible";
            /** @description How often it was seen to hold. */
            kept: number;
            /** @description How often it was seen broken. */
            violated: number;
            /** @description The first exchanges that broke it. */
            exchanges: {
                /** @description Position among the exchanges that were checked. */
                number: number;
                method: string;
                /** @description Path and query, secrets masked. */
                url: string;
            }[];
        };
        Report: {
            /** @constant */
            schema_version: 1;
            tool: {
                /** @constant */
                name: "rewards-sandbox";
                version: string;
            };
            /**
             * @description Where the traffic was seen; `folder` for several captures.
             * @enum {string}
             */
            source: "proxy" | "har" | "activity" | "newman" | "k6" | "access-log" | "pact" | "folder";
            exchanges: {
                checked: number;
                /** @description Exchanges that are under no contract's address. */
                outside: number;
                /** @description Entries of a capture that hold no call. */
                unreadable: number;
            };
            /** @description Where the calls of a capture went that match no contract, addresses of a probable API first, then by number of calls. Empty for the proxy and for an export of the activity log. */
            unmatched: {
                /** @description Origin, with the base path where an operation's path was recognized. */
                address: string;
                calls: number;
                /** @description The API whose operations the paths end like. `check --server NAME=ADDRESS` has these calls checked. Null where no path is known. */
                server: string | null;
            }[];
            /** @description Parts of the checked messages that are missing from the capture. Missing parts are not checked and are not findings. */
            incomplete: {
                /** @description Requests and replies of which something is lacking. */
                messages: number;
                /** @description Messages without their body. */
                bodies: number;
                /** @description Messages without their headers. */
                headers: number;
                /** @description Requests without their credential, which some exports leave out. */
                credentials: number;
                /** @description Requests without a reply: none came, or it was not captured. */
                replies: number;
            };
            /** @description How often Prism, which validates every exchange of the proxy too, and the validator disagreed. Null where Prism was not asked. */
            second_opinion: {
                /** @description Exchanges that Prism validated. */
                exchanges: number;
                /** @description Exchanges in which Prism found what the validator did not: findings with `source: prism`. */
                prism_only: number;
                /** @description Exchanges in which Prism did not find what the validator did. */
                validator_only: number;
            } | null;
            totals: {
                /** @description Distinct findings against what the interface states. */
                errors: number;
                /** @description Distinct findings against assumptions of this sandbox. */
                warnings: number;
                notices: number;
                /** @description Distinct findings beyond the 1000 that are kept, the weightiest first. */
                not_kept: number;
            };
            findings: components["schemas"]["Finding"][];
            coverage: {
                percent: number;
                covered: number;
                documented: number;
                cells: components["schemas"]["CoverageCell"][];
            };
            /** @description Each numbered statement of the interface, and what the traffic has shown of it so far. */
            statements: components["schemas"]["StatementCoverage"][];
        };
        /** @description The response of the proxy if it refuses or cannot forward a call (RFC 9457). `origin` and the header `X-Answered-By` distinguish it from a response of the upstream server. */
        ProxyProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            status: number;
            detail: string;
            /** @constant */
            origin: "rewards-sandbox-proxy";
            findings: components["schemas"]["Finding"][];
        };
        /** @description One place of a call that is not as the contract says. */
        Difference: {
            /** @description Direction, part of the message and rule, such as `reply.body.type`. Stable; branch on it. */
            code: string;
            /**
             * @description `error` where something that the interface states is broken, `warning` where an assumption of this sandbox is, `notice` where something could not be checked.
             * @enum {string}
             */
            severity: "error" | "warning" | "notice";
            /** @description What the broken rule rests on: `stated` and the ids of statements in docs/interface.md, or the id of a row in docs/register.yaml. */
            basis: string;
            /**
             * @description Who is at fault: who sent the request, or who answered it.
             * @enum {string}
             */
            party: "caller" | "host";
            /**
             * @description Who hosts the operation; `nobody` when no contract knows the path.
             * @enum {string}
             */
            hosted_by: "platform" | "client" | "sandbox" | "proxy" | "nobody";
            /** @enum {string} */
            direction: "request" | "reply";
            /** @description The contract, such as `rewards`. */
            api: string;
            /** @description JSON pointer into the message: `/body/...`, `/query/name`, `/path/name`, `/headers/name`, `/status`, `/method`, `/url`. */
            pointer: string;
            /** @description What the contract says about this place. */
            expected: string;
            /** @description What was there, masked and cut to 200 characters; `nothing` where nothing was. */
            actual: string;
            /** @description The rule in the contract. */
            contract: {
                file: string;
                line: number;
            };
        };
        FindingFields: components["schemas"]["Difference"] & {
            /** @description operationId; null when the contract knows none. */
            operation: string | null;
            method: string;
            /** @description Path and query, secrets masked. */
            url: string;
            /** @description Status of the reply; null when none was seen. */
            status: number | null;
            /** @description The trace of the first such exchange; null when it had none. */
            trace: string | null;
        };
    };
    responses: {
        /** @description It is not clear what the request is or where it ends. The connection ends. */
        NotUnderstood: {
            headers: {
                "X-Answered-By": components["headers"]["AnsweredBy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProxyProblem"];
            };
        };
        /** @description The admin token is missing or wrong. */
        TokenInvalid: {
            headers: {
                "X-Answered-By": components["headers"]["AnsweredBy"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProxyProblem"];
            };
        };
        /** @description A sandbox made the call by itself. The connection ends. */
        CallOfSandbox: {
            headers: {
                "X-Answered-By": components["headers"]["AnsweredBy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProxyProblem"];
            };
        };
        /** @description There is nothing under this path. */
        NotFound: {
            headers: {
                "X-Answered-By": components["headers"]["AnsweredBy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProxyProblem"];
            };
        };
        /** @description The path is there, with other methods. */
        MethodNotAllowed: {
            headers: {
                "X-Answered-By": components["headers"]["AnsweredBy"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProxyProblem"];
            };
        };
        /** @description The request did not come whole in time. The connection ends. */
        TooSlow: {
            headers: {
                "X-Answered-By": components["headers"]["AnsweredBy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProxyProblem"];
            };
        };
        /** @description URL and headers are larger than 16 KiB together. The connection ends. */
        HeadTooLarge: {
            headers: {
                "X-Answered-By": components["headers"]["AnsweredBy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProxyProblem"];
            };
        };
        /** @description The proxy failed. */
        Failed: {
            headers: {
                "X-Answered-By": components["headers"]["AnsweredBy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProxyProblem"];
            };
        };
        /** @description Too many calls are under way, or wait on this connection. The connection ends. */
        TooManyCalls: {
            headers: {
                "X-Answered-By": components["headers"]["AnsweredBy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProxyProblem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Present on what the proxy answers itself, and on nothing that it passes on of its own accord.
         * @example rewards-sandbox-proxy
         */
        AnsweredBy: "rewards-sandbox-proxy";
        /**
         * @description The methods that the path has.
         * @example GET, HEAD
         */
        Allow: "GET, HEAD";
        /**
         * @description The scheme that is asked for.
         * @example Bearer
         */
        Challenge: "Bearer";
        /**
         * @description Seconds to wait before another try.
         * @example 1
         */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report as of now. */
            200: {
                headers: {
                    "X-Answered-By": components["headers"]["AnsweredBy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
            400: components["responses"]["NotUnderstood"];
            401: components["responses"]["TokenInvalid"];
            403: components["responses"]["CallOfSandbox"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["TooSlow"];
            431: components["responses"]["HeadTooLarge"];
            500: components["responses"]["Failed"];
            503: components["responses"]["TooManyCalls"];
        };
    };
}
