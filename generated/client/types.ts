/* Written by `npm run generate` from openapi/. Do not edit. */
export interface paths {
    readonly "/getProfileAndPoints": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Return a customer's profile and points
         * @description Called when a customer enters the portal or opens a session, and before an order is placed. The answer is the
         *     platform's proof that the token belongs to this customer. There is no body; the customer is named in the query.
         */
        readonly post: operations["getProfileAndPoints"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/creditPoints": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Credit points for a payment
         * @description Called once the platform has worked out the points of a payment event. Book the points once per `transactionId`:
         *     the platform calls again until it gets an answer, so the same event may come more than once.
         */
        readonly post: operations["creditPoints"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/saveRedeemDetails": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Book a redemption and deduct its points
         * @description Called for each line of an order, before the order stands. Deduct `totalPointWithProcessingFee` if the balance
         *     covers it at this moment, otherwise refuse: this is the second check behind the one that the platform made. The
         *     platform repeats the call with the same `redeemCode` when it gets no answer; deduct once and answer the same.
         */
        readonly post: operations["saveRedeemDetails"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/updateRedeemStatus": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Learn how a redemption ended
         * @description Called when a vendor has delivered or failed. On `Delivered` the points stay deducted and the voucher codes can
         *     be fetched from the wallet. On `Rejected` credit back `totalPointWithProcessingFee` of the redemption, once. An
         *     end is final: the same report again changes nothing, a contradicting one is refused. A `Rejected` for a code that
         *     you do not know must be remembered, so that a deduction which arrives late is refused.
         */
        readonly post: operations["updateRedeemStatus"];
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
        readonly ProfileAndPoints: {
            readonly profile: components["schemas"]["Profile"];
            readonly points: components["schemas"]["Points"];
        };
        /** @description The customer's id at the client. */
        readonly Uid: string;
        /** @description What the client knows of a customer. */
        readonly Profile: {
            /** @description The customer's id at the client. */
            readonly uid: string;
            readonly name: string;
            /** @description May be empty. */
            readonly email: string;
            readonly mobileNo: string;
            /**
             * @description Day/month/year text
             * @example 14/08/1991
             */
            readonly dob: string;
            readonly address1: string;
            readonly address2: string;
            readonly city: string;
            /** @description Indian postal code. */
            readonly pincode: number;
            /** @description State code, as GST numbers it (29 is Karnataka). */
            readonly state: number;
            readonly cus_type: string;
            readonly partnerType: string;
            /** @description Permanent account number. */
            readonly pan: string;
            readonly panVerifiedStatus: string;
            /** @description Date of marriage as day/month/year text; may be empty. */
            readonly mdate: string;
            readonly projectCode: string;
            readonly projectName: string;
            readonly projectId: number;
        };
        /** @description A number of points, never negative. */
        readonly WholePoints: number;
        /** @description The customer's account. `balance` is what was earned less what was redeemed. */
        readonly Points: {
            readonly totalEarned: components["schemas"]["WholePoints"];
            readonly balance: components["schemas"]["WholePoints"];
            readonly totalRedeemed: components["schemas"]["WholePoints"];
        };
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
        /** @description An amount in INR as decimal text with at most two decimals. */
        readonly AmountText: string;
        /** @description A whole number written as text, without sign, leading zero, exponent or decimals. */
        readonly NumericText: string;
        readonly CreditPointsEvent: {
            readonly uid: components["schemas"]["Uid"];
            /** @constant */
            readonly eventType: "DIGITAL_PAYMENT";
            readonly transactionId: string;
            readonly paymentAmount: components["schemas"]["AmountText"];
            readonly points: components["schemas"]["NumericText"];
        };
        readonly Done: {
            /** @constant */
            readonly success: true;
            /** @constant */
            readonly status: 200;
        };
        /** @description As NumericText, and at least 1. */
        readonly PositiveNumericText: string;
        /** @description One order line as the client is asked to book it. Every value is text. */
        readonly RedemptionRecord: {
            readonly uid: components["schemas"]["Uid"];
            /** @description Project code. */
            readonly scheme: string;
            /** @description Unique code of this redemption. */
            readonly redeemCode: string;
            /** @description Points for the products of the line. */
            readonly redeemPoints: components["schemas"]["PositiveNumericText"];
            /** @description Delivery address; empty for an e-gift voucher. */
            readonly shippingAddress: string;
            /** @description Fee in points. */
            readonly processingFee: components["schemas"]["NumericText"];
            /** @description The `sku_code`. */
            readonly productCode: string;
            readonly productName: string;
            /** @description Units ordered. */
            readonly quantity: components["schemas"]["PositiveNumericText"];
            /** @constant */
            readonly redeemStatus: "pending";
            readonly email: string;
            readonly mobileNo: string;
            /** @description redeemPoints plus TDS points. */
            readonly totalpoints: components["schemas"]["PositiveNumericText"];
            /** @description What to deduct now, and to credit back if the redemption is rejected. */
            readonly totalPointWithProcessingFee: components["schemas"]["PositiveNumericText"];
            /** @description TDS points of one unit. */
            readonly tdsSingleItem: components["schemas"]["NumericText"];
        };
        /** @enum {string} */
        readonly OrderStatus: "Pending" | "Delivered" | "Rejected";
        readonly StatusUpdate: {
            readonly redeemCode: string;
            readonly status: components["schemas"]["OrderStatus"];
            /** @description The same value as `status`. */
            readonly orderStatus: components["schemas"]["OrderStatus"];
            /** @description The reason on a rejection; may be empty. */
            readonly remark: string;
            readonly projectCode: string;
        };
    };
    responses: {
        /** @description The head of the request cannot be read. */
        readonly BadHead: {
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
         * @description Which part of the request was refused and what it should have been. The envelope's message is fixed by the interface, so the detail travels in this header.
         * @example /redeemPoints must be a whole number as text, such as "250"
         */
        readonly Problem: string;
        /**
         * @description Names the scheme to use and why the credential was refused (RFC 6750).
         * @example Bearer error="invalid_token"
         */
        readonly BearerChallenge: string;
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
    readonly getProfileAndPoints: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description The customer. Must be the subject of the JWT.
                 * @example CUST0007
                 */
                readonly uid: components["schemas"]["Uid"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The customer. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ProfileAndPoints"];
                };
            };
            readonly 400: components["responses"]["BadHead"];
            /** @description The token is not valid, or the customer is not known. */
            readonly 422: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly "X-Problem": components["headers"]["Problem"];
                    readonly "WWW-Authenticate": components["headers"]["BearerChallenge"];
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
    readonly creditPoints: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreditPointsEvent"];
            };
        };
        readonly responses: {
            /** @description Credited, now or at an earlier call. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Done"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description Refused; nothing was credited. */
            readonly 422: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly "X-Problem": components["headers"]["Problem"];
                    readonly "WWW-Authenticate": components["headers"]["BearerChallenge"];
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
    readonly saveRedeemDetails: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RedemptionRecord"];
            };
        };
        readonly responses: {
            /** @description Deducted, now or at an earlier call. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Done"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description Refused; nothing was deducted. */
            readonly 422: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly "X-Problem": components["headers"]["Problem"];
                    readonly "WWW-Authenticate": components["headers"]["BearerChallenge"];
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
    readonly updateRedeemStatus: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["StatusUpdate"];
            };
        };
        readonly responses: {
            /** @description Noted, now or at an earlier call. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Done"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description Refused; nothing changed. */
            readonly 422: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly "X-Problem": components["headers"]["Problem"];
                    readonly "WWW-Authenticate": components["headers"]["BearerChallenge"];
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
