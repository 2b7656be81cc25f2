/* Written by `npm run generate` from openapi/. Do not edit. */
export interface paths {
    readonly "/api/v1/auth/generate-otp": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a one-time password to a customer
         * @description Checks the customer id, makes a six-digit code for it and sends the code to the registered mobile number. The code
         *     works once, for five minutes, together with the `reference_id` of this reply. In the sandbox the message lands in
         *     the outbox of the control API.
         */
        readonly post: operations["generateOtp"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/auth/verify-otp": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Verify a one-time password
         * @description Signs the customer in. The reply carries the JWT for all further calls and the customer's points. A code allows
         *     five tries; twenty failures in a row, over any number of codes, lock the customer for 15 minutes.
         */
        readonly post: operations["verifyOtp"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly OtpRequest: {
            readonly customer_id: components["schemas"]["Uid"];
        };
        readonly OtpSent: {
            /** @constant */
            readonly success: true;
            /** @constant */
            readonly status: 200;
            /** @description Send it back with the code. */
            readonly reference_id: string;
            /** @description Seconds. */
            readonly expires_in: number;
            /** @description The number the code went to, masked but for its last four digits. */
            readonly mobile: string;
        };
        readonly OtpVerification: {
            readonly customer_id: components["schemas"]["Uid"];
            /** @description Six digits. */
            readonly otp: string;
            readonly reference_id: string;
        };
        readonly SignedIn: {
            /** @constant */
            readonly success: true;
            /** @constant */
            readonly status: 200;
            /** @description The customer's JWT. */
            readonly token: string;
            /** @constant */
            readonly token_type: "Bearer";
            /** @description Seconds. */
            readonly expires_in: number;
            readonly points: components["schemas"]["Points"];
        };
        /** @description The customer's id at the client. */
        readonly Uid: string;
        /** @description What went wrong, wrapped in `data`. `type` is a server class name that nobody should branch on. */
        readonly ClientError: {
            /** @constant */
            readonly success: false;
            /** @description The HTTP status again. */
            readonly status: number;
            readonly data: {
                /** @description The reason phrase of the status. */
                readonly name: string;
                /** @description What was wrong. */
                readonly message: string;
                /**
                 * @description Always 0.
                 * @constant
                 */
                readonly code: 0;
                readonly status: number;
                /** @description Class name of the server's exception. */
                readonly type: string;
            };
        };
        /** @description A number of points, never negative. */
        readonly WholePoints: number;
        /** @description The customer's account. `balance` is what was earned less what was redeemed. */
        readonly Points: {
            readonly totalEarned: components["schemas"]["WholePoints"];
            readonly balance: components["schemas"]["WholePoints"];
            readonly totalRedeemed: components["schemas"]["WholePoints"];
        };
    };
    responses: {
        /** @description The request cannot be read. */
        readonly BadRequest: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ClientError"];
            };
        };
        /** @description The Basic credentials are missing or wrong. */
        readonly Unauthorized: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceId"];
                readonly "WWW-Authenticate": components["headers"]["BasicChallenge"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ClientError"];
            };
        };
        /** @description The body is larger than 64 KiB. */
        readonly PayloadTooLarge: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ClientError"];
            };
        };
        /** @description The body is not declared as JSON. */
        readonly UnsupportedMediaType: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ClientError"];
            };
        };
        /** @description The server failed. */
        readonly InternalError: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ClientError"];
            };
        };
        /** @description The server cannot take the call now. */
        readonly Unavailable: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceId"];
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ClientError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this call in the activity log. Quote it when you ask for help. A caller that sends a W3C `traceparent` header finds its own trace id here.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        readonly TraceId: string;
        /**
         * @description Names the scheme to use (RFC 7617).
         * @example Basic realm="rewards-client", charset="UTF-8"
         */
        readonly BasicChallenge: string;
        /**
         * @description Which part of the request was refused and what it should have been. The envelope's message is fixed by the interface, so the detail travels in this header.
         * @example /redeemPoints must be a whole number as text, such as "250"
         */
        readonly Problem: string;
        /**
         * @description Whole seconds to wait before the next try.
         * @example 42
         */
        readonly RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly generateOtp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OtpRequest"];
            };
        };
        readonly responses: {
            /** @description Sent. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OtpSent"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description No code was sent. */
            readonly 422: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly "X-Problem": components["headers"]["Problem"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ClientError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly verifyOtp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OtpVerification"];
            };
        };
        readonly responses: {
            /** @description Signed in. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SignedIn"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description Not signed in. */
            readonly 422: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly "X-Problem": components["headers"]["Problem"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ClientError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
}
