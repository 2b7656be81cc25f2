/* Written by `npm run generate` from openapi/. Do not edit. */
export interface paths {
    "/api/v1/auth/generate-otp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a one-time password to a customer
         * @description Validates the customer id, generates a one-time password and sends it to the customer's registered mobile number. The password has six digits and works once, for five minutes, with the `reference_id` of this response (OP-18). A newer password replaces it (OP-125). A customer can request five in ten minutes; a sign-in resets this count (OP-126). In the sandbox, the message appears in the outbox of the control API (OP-36).
         */
        post: operations["generateOtp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/verify-otp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a one-time password
         * @description Signs the customer in. The response contains the JWT for all further calls (T2) and the customer's points. A password allows five attempts; twenty failures in a row, over any number of passwords, lock the customer for 15 minutes (OP-18).
         */
        post: operations["verifyOtp"];
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
        OtpRequest: {
            customer_id: components["schemas"]["Uid"];
        };
        OtpSent: {
            /** @constant */
            success: true;
            /** @constant */
            status: 200;
            /** @description The id to send with the code. */
            reference_id: string;
            /** @description Lifetime of the code in seconds. */
            expires_in: number;
            /** @description The number that received the code, masked except for its last four digits. */
            mobile: string;
        };
        OtpVerification: {
            customer_id: components["schemas"]["Uid"];
            /** @description Six digits. */
            otp: string;
            reference_id: string;
        };
        SignedIn: {
            /** @constant */
            success: true;
            /** @constant */
            status: 200;
            token: components["schemas"]["TokenText"];
            /** @constant */
            token_type: "Bearer";
            /** @description Lifetime of the JWT in seconds. */
            expires_in: number;
            points: components["schemas"]["Points"];
        };
        /** @description Unique id of the customer. */
        Uid: string;
        /** @description The error, wrapped in `data`. Do not branch on `type` (OP-14). */
        ClientError: {
            /** @constant */
            success: false;
            /**
             * @description The HTTP status.
             * @constant
             */
            status: 422;
            data: {
                /** @constant */
                name: "Unprocessable entity";
                message: string;
                /**
                 * @description Always 0.
                 * @constant
                 */
                code: 0;
                /** @constant */
                status: 422;
                /** @description Class name of the server's exception. */
                type: string;
            };
        };
        /** @description The JWT of the customer. It contains visible ASCII characters only (OP-80). */
        TokenText: string;
        /** @description Points of a customer. `balance` is `totalEarned` minus `totalRedeemed` (OP-235). */
        Points: {
            /** Format: int64 */
            totalEarned: number;
            /** Format: int64 */
            balance: number;
            /** Format: int64 */
            totalRedeemed: number;
        };
        /** @description The envelope of the 422, which the reference client also uses for other statuses. */
        OtherClientError: {
            /** @constant */
            success: false;
            /** @description The HTTP status, repeated. */
            status: number;
            data: {
                /** @description The reason phrase of the status. */
                name: string;
                /** @description The error message. */
                message: string;
                /**
                 * @description Always 0.
                 * @constant
                 */
                code: 0;
                status: number;
                /** @description Class name of the server's exception. */
                type: string;
            };
        };
    };
    responses: {
        /** @description The request cannot be read. */
        BadRequest: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OtherClientError"];
            };
        };
        /** @description The Basic credentials are missing or wrong. */
        Unauthorized: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                "WWW-Authenticate": components["headers"]["BasicChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OtherClientError"];
            };
        };
        /** @description The workspace has reached its data limit. */
        WorkspaceFull: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OtherClientError"];
            };
        };
        /** @description The body is larger than 64 KiB. */
        PayloadTooLarge: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OtherClientError"];
            };
        };
        /** @description The content type is not JSON. */
        UnsupportedMediaType: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OtherClientError"];
            };
        };
        /** @description The server failed. */
        InternalError: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OtherClientError"];
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
                "application/json": components["schemas"]["OtherClientError"];
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
         * @description The authentication scheme to use (RFC 7617).
         * @example Basic realm="rewards-client", charset="UTF-8"
         */
        BasicChallenge: string;
        /**
         * @description The refused part of the request and the expected value. The interface fixes the envelope's message, so this header contains the details.
         * @example /redeemPoints must be a whole number as text, such as "250"
         */
        Problem: string;
        /**
         * @description Seconds to wait before the next attempt.
         * @example 42
         */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    generateOtp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OtpRequest"];
            };
        };
        responses: {
            /** @description The code was sent. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OtpSent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["WorkspaceFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description No code was sent. */
            422: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "X-Problem": components["headers"]["Problem"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyOtp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OtpVerification"];
            };
        };
        responses: {
            /** @description The customer is signed in. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["WorkspaceFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The customer is not signed in. */
            422: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "X-Problem": components["headers"]["Problem"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
