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
         * Read the findings so far
         * @description Returns the findings since the proxy started, and the contract coverage. The report counts a repeated finding
         *     instead of listing it again. Send the proxy's admin token as `Authorization: Bearer`, as for the control API. If
         *     the proxy has no token and listens on loopback, calls from this machine need no token, unless another proxy
         *     forwarded them (OP-65).
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
            /** @description Number of occurrences. */
            times: number;
            /**
             * @description Present if only Prism, the proxy's second validator, reports the finding. Such a finding is a warning: either Prism or this sandbox's validator is wrong.
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
            /** @description Whether `percent` includes the cell, as it includes requests and successes of the selected contracts. */
            counted: boolean;
            seen: number;
            /** @description Number of observed messages with findings. */
            faulty: number;
        };
        StatementCoverage: {
            /** @description The statement in docs/interface.md, such as `A5`. */
            id: string;
            /**
             * @description `not_observed` if no exchange exercised the statement, or the capture lacks the necessary parts; `not_visible` if traffic cannot show compliance.
             * @enum {string}
             */
            state: "kept" | "violated" | "not_observed" | "not_visible";
            /** @description Number of exchanges that comply with the statement. */
            kept: number;
            /** @description Number of exchanges that violate the statement. */
            violated: number;
            /** @description The first exchanges that violate the statement. */
            exchanges: {
                /** @description Position among the checked exchanges. */
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
             * @description The source of the traffic; `folder` for several captures.
             * @enum {string}
             */
            source: "proxy" | "har" | "activity" | "newman" | "k6" | "access-log" | "pact" | "folder";
            exchanges: {
                checked: number;
                /** @description Unchecked exchanges with an address outside the contracts. */
                outside: number;
                /** @description Entries of a capture that contain no call. */
                unreadable: number;
            };
            /** @description Addresses of the calls that match no contract, ordered by number of calls, with addresses of a probable API first. Empty for the proxy and for an export of the activity log. */
            unmatched: {
                /** @description The origin, with the base path if an operation's path was recognized. */
                address: string;
                calls: number;
                /** @description The API whose paths match the ends of the calls' paths. Use `check --server NAME=ADDRESS` to check these calls. Null if no path matches. */
                server: string | null;
            }[];
            /** @description Parts of the checked messages that are missing from the capture. Missing parts are neither checked nor reported as findings. */
            incomplete: {
                /** @description Requests and responses with missing parts. */
                messages: number;
                /** @description Messages without their body. */
                bodies: number;
                /** @description Messages without their headers. */
                headers: number;
                /** @description Requests without their credential, which some exports omit. */
                credentials: number;
                /** @description Requests without a response: none arrived, or it was not captured. */
                replies: number;
            };
            /** @description Disagreements between the validator and Prism, which also validates every exchange of the proxy. Null without Prism. */
            second_opinion: {
                /** @description Exchanges that Prism validated. */
                exchanges: number;
                /** @description Exchanges with findings by Prism only: those with `source: prism`. */
                prism_only: number;
                /** @description Exchanges with findings by the validator only. */
                validator_only: number;
            } | null;
            totals: {
                /** @description Distinct findings that violate a statement of the interface. */
                errors: number;
                /** @description Distinct findings that violate an assumption of this sandbox. */
                warnings: number;
                notices: number;
                /** @description Number of distinct findings omitted from the report, which contains only the 1000 most severe. */
                not_kept: number;
            };
            findings: components["schemas"]["Finding"][];
            coverage: {
                percent: number;
                covered: number;
                documented: number;
                cells: components["schemas"]["CoverageCell"][];
            };
            /** @description Every numbered statement of the interface, with its result so far. */
            statements: components["schemas"]["StatementCoverage"][];
            /** @description The open points that the traffic relied on, in the order of their ids. */
            open_points: components["schemas"]["OpenPointUse"][];
        };
        OpenPointUse: components["schemas"]["OpenPointUse-2"];
        /** @description The response of the proxy if it refuses or cannot forward a call (RFC 9457). `origin` and the header `X-Answered-By` distinguish this response from those of the upstream server. */
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
        /**
         * @description `agreed`: the sandbox's assumption is correct. `settled`: it is correct with the settings in `value`. `differs`: it is wrong, and `text` contains the answer.
         * @enum {string}
         */
        AnswerWord: "agreed" | "settled" | "differs";
        /** @description The answer to the open point in `basis`. A violation of an agreed or settled point is an error; a violation of a point that differs is a notice. Absent without an answer. */
        GivenAnswer: {
            answer: components["schemas"]["AnswerWord"];
            by: string;
            date: string;
            text?: string;
        };
        /** @description One place where a call violates its contract. */
        Difference: {
            /** @description Direction, part of the message and rule, such as `reply.body.type`. Branch on this stable code. */
            code: string;
            /**
             * @description `error`: violates a statement of the interface or an agreed assumption. `warning`: violates another assumption of this sandbox. `notice`: was not checked, is not part of the interface, or violates an assumption that the other side does not share. A notice is no party's fault.
             * @enum {string}
             */
            severity: "error" | "warning" | "notice";
            /** @description The basis of the violated rule: `stated` and the ids of statements in docs/interface.md, or the id of a row in docs/register.yaml. */
            basis: string;
            answer?: components["schemas"]["GivenAnswer"];
            /**
             * @description The party at fault: the sender of the request or of the response.
             * @enum {string}
             */
            party: "caller" | "host";
            /**
             * @description The host of the operation; `nobody` if no contract contains the path.
             * @enum {string}
             */
            hosted_by: "platform" | "client" | "sandbox" | "proxy" | "nobody";
            /** @enum {string} */
            direction: "request" | "reply";
            /** @description The contract, such as `rewards`. */
            api: string;
            /** @description JSON pointer into the message: `/body/...`, `/query/name`, `/path/name`, `/headers/name`, `/status`, `/method`, `/url`. */
            pointer: string;
            /** @description The requirement of the contract. */
            expected: string;
            /** @description The actual value, masked and truncated to 200 characters; `nothing` if there was no value. */
            actual: string;
            /** @description The rule in the contract. */
            contract: {
                file: string;
                line: number;
            };
        };
        FindingFields: components["schemas"]["Difference"] & {
            /** @description operationId; null if the contract defines none for this path. */
            operation: string | null;
            method: string;
            /** @description Path and query, secrets masked. */
            url: string;
            /** @description Status of the response; null without a response. */
            status: number | null;
            /** @description The trace of the first such exchange; null without a trace. */
            trace: string | null;
        };
        /** @description The first call that relied on the point; null if there was none. */
        OpenPointCall: {
            /** @description The call's entry in the activity log, or its position among the checked exchanges. */
            number: number;
            /** @description The operationId. */
            operation: string;
            method: string;
            /** @description Path and query, secrets masked. */
            url: string;
            /** @description Status of the response; null without a response. */
            status: number | null;
            /** @description The trace of the call; null without a trace. */
            trace: string | null;
        } | null;
        /** @description The calls that rely on an open point. */
        "OpenPointUse-2": {
            /** @description The row in docs/register.yaml, such as `OP-08`. */
            id: string;
            /** @description Number of calls that rely on the assumption and comply with it. */
            kept: number;
            /** @description Number of calls that violate the assumption. */
            violated: number;
            example: components["schemas"]["OpenPointCall"];
        };
    };
    responses: {
        /** @description The request or its end is ambiguous. The connection is closed. */
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
        /** @description A sandbox made the call itself. The connection is closed. */
        CallOfSandbox: {
            headers: {
                "X-Answered-By": components["headers"]["AnsweredBy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProxyProblem"];
            };
        };
        /** @description Nothing exists under this path. */
        NotFound: {
            headers: {
                "X-Answered-By": components["headers"]["AnsweredBy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProxyProblem"];
            };
        };
        /** @description The path does not support this method. */
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
        /** @description The request did not arrive completely in time. The connection is closed. */
        TooSlow: {
            headers: {
                "X-Answered-By": components["headers"]["AnsweredBy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProxyProblem"];
            };
        };
        /** @description URL and headers together exceed 16 KiB. The connection is closed. */
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
        /** @description Too many calls are in progress or waiting on this connection. The connection is closed. */
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
         * @description Present only on the proxy's own responses, never on a forwarded response.
         * @example rewards-sandbox-proxy
         */
        AnsweredBy: "rewards-sandbox-proxy";
        /**
         * @description The methods that the path supports.
         * @example GET, HEAD
         */
        Allow: "GET, HEAD";
        /**
         * @description The authentication scheme to use.
         * @example Bearer
         */
        Challenge: "Bearer";
        /**
         * @description Seconds to wait before the next attempt.
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
            /** @description The current report. */
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
