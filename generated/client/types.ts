/* Written by `npm run generate` from openapi/. Do not edit. */
export interface paths {
    "/getProfileAndPoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Return a customer's profile and points
         * @description Called when a customer enters the portal or opens a session, and before an order is placed. The answer is the
         *     platform's proof that the token belongs to this customer. There is no body; the customer is named in the query.
         */
        post: operations["getProfileAndPoints"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/creditPoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Credit points for a payment
         * @description Called once the platform has worked out the points of a payment event. Book the points once per `transactionId`:
         *     the platform calls again until it gets an answer, so the same event may come more than once.
         */
        post: operations["creditPoints"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/saveRedeemDetails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Book a redemption and deduct its points
         * @description Called for each line of an order, before the order stands. Deduct `totalPointWithProcessingFee` if the balance
         *     covers it at this moment, otherwise refuse: this is the second check behind the one that the platform made. The
         *     platform repeats the call with the same `redeemCode` when it gets no answer; deduct once and answer the same.
         */
        post: operations["saveRedeemDetails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/updateRedeemStatus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Learn how a redemption ended
         * @description Called when a vendor has delivered or failed. On `Delivered` the points stay deducted and, once this is
         *     answered, the voucher codes can be fetched from the wallet (OP-121). On `Rejected` credit back `totalPointWithProcessingFee` of the redemption, once. An
         *     end is final: the same report again changes nothing, a contradicting one is refused. A `Rejected` for a code that
         *     you do not know must be remembered, so that a deduction which arrives late is refused.
         */
        post: operations["updateRedeemStatus"];
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
        ProfileAndPoints: {
            profile: components["schemas"]["Profile"];
            points: components["schemas"]["Points"];
        };
        /** @description The customer's id at the client. */
        Uid: string;
        /** @description What the client knows of a customer. */
        Profile: {
            /** @description The customer's id at the client. */
            uid: string;
            name: string;
            /** @description May be empty. */
            email: string;
            mobileNo: string;
            /**
             * @description Day/month/year text
             * @example 14/08/1991
             */
            dob: string;
            address1: string;
            address2: string;
            city: string;
            /** @description Indian postal code. */
            pincode: number;
            /** @description State code, as GST numbers it (29 is Karnataka). */
            state: number;
            cus_type: string;
            partnerType: string;
            /** @description Permanent account number. */
            pan: string;
            panVerifiedStatus: string;
            /** @description Date of marriage as day/month/year text; may be empty. */
            mdate: string;
            projectCode: string;
            projectName: string;
            projectId: number;
        };
        /** @description The customer's account. `balance` is what was earned less what was redeemed. */
        Points: {
            /** Format: int64 */
            totalEarned: number;
            /** Format: int64 */
            balance: number;
            /** Format: int64 */
            totalRedeemed: number;
        };
        /** @description What went wrong, wrapped in `data`. `type` is a server class name that nobody should branch on. */
        ClientError: {
            /** @constant */
            success: false;
            /**
             * @description The HTTP status again.
             * @constant
             */
            status: 422;
            data: {
                /**
                 * @description The reason phrase of the status.
                 * @constant
                 */
                name: "Unprocessable entity";
                /** @description What was wrong. */
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
        /** @description An amount in INR as decimal text with at most two decimals. */
        AmountText: string;
        /** @description A whole number written as text, without sign, leading zero, exponent or decimals. */
        NumericText: string;
        CreditPointsEvent: {
            uid: components["schemas"]["Uid"];
            /** @constant */
            eventType: "DIGITAL_PAYMENT";
            transactionId: string;
            paymentAmount: components["schemas"]["AmountText"];
            points: components["schemas"]["NumericText"];
        };
        Done: {
            /** @constant */
            success: true;
            /** @constant */
            status: 200;
        };
        /** @description As NumericText, and at least 1. */
        PositiveNumericText: string;
        /** @description One order line as the client is asked to book it. Every value is text. */
        RedemptionRecord: {
            uid: components["schemas"]["Uid"];
            /** @description Project code. */
            scheme: string;
            /** @description Unique code of this redemption. */
            redeemCode: string;
            /** @description Points for the products of the line. */
            redeemPoints: components["schemas"]["PositiveNumericText"];
            /** @description Delivery address; empty for an e-gift voucher. */
            shippingAddress: string;
            /** @description Fee in points. */
            processingFee: components["schemas"]["NumericText"];
            /** @description The `sku_code`. */
            productCode: string;
            productName: string;
            /** @description Units ordered. */
            quantity: components["schemas"]["PositiveNumericText"];
            /** @constant */
            redeemStatus: "pending";
            email: string;
            mobileNo: string;
            /** @description redeemPoints plus TDS points. */
            totalpoints: components["schemas"]["PositiveNumericText"];
            /** @description What to deduct now, and to credit back if the redemption is rejected. */
            totalPointWithProcessingFee: components["schemas"]["PositiveNumericText"];
            /** @description TDS points of one unit. */
            tdsSingleItem: components["schemas"]["NumericText"];
        };
        /** @enum {string} */
        OrderStatus: "Pending" | "Delivered" | "Rejected";
        StatusUpdate: {
            redeemCode: string;
            status: components["schemas"]["OrderStatus"];
            /** @description The same value as `status`. */
            orderStatus: components["schemas"]["OrderStatus"];
            /** @description The reason on a rejection; may be empty. */
            remark: string;
            projectCode: string;
        };
        /** @description The envelope of a 422 under another status, as the reference client has it. */
        OtherClientError: {
            /** @constant */
            success: false;
            /** @description The HTTP status again. */
            status: number;
            data: {
                /** @description The reason phrase of the status. */
                name: string;
                /** @description What was wrong. */
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
        /** @description The head of the request cannot be read. */
        BadHead: {
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
        /** @description The server cannot take the call now. */
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
        /** @description The body is not declared as JSON. */
        UnsupportedMediaType: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
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
         * @description Identifies this call in the activity log. Quote it when you ask for help. A caller that sends a W3C `traceparent` header finds its own trace id here.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        TraceId: string;
        /**
         * @description Which part of the request was refused and what it should have been. The envelope's message is fixed by the interface, so the detail travels in this header.
         * @example /redeemPoints must be a whole number as text, such as "250"
         */
        Problem: string;
        /**
         * @description Names the scheme to use, and why the credential was refused; where none was sent, `Bearer` and a realm (RFC 6750, 3.1).
         * @example Bearer error="invalid_token"
         */
        BearerChallenge: string;
        /**
         * @description Whole seconds to wait before the next try.
         * @example 42
         */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getProfileAndPoints: {
        parameters: {
            query: {
                /**
                 * @description The customer. Must be the subject of the JWT.
                 * @example CUST0007
                 */
                uid: components["schemas"]["Uid"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileAndPoints"];
                };
            };
            400: components["responses"]["BadHead"];
            /** @description The token is not valid, or the customer is not known. */
            422: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "X-Problem": components["headers"]["Problem"];
                    "WWW-Authenticate": components["headers"]["BearerChallenge"];
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
    creditPoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreditPointsEvent"];
            };
        };
        responses: {
            /** @description Credited, now or at an earlier call. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Refused; nothing was credited. */
            422: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "X-Problem": components["headers"]["Problem"];
                    "WWW-Authenticate": components["headers"]["BearerChallenge"];
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
    saveRedeemDetails: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedemptionRecord"];
            };
        };
        responses: {
            /** @description Deducted, now or at an earlier call. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Refused; nothing was deducted. */
            422: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "X-Problem": components["headers"]["Problem"];
                    "WWW-Authenticate": components["headers"]["BearerChallenge"];
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
    updateRedeemStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusUpdate"];
            };
        };
        responses: {
            /** @description Noted, now or at an earlier call. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Refused; nothing changed. */
            422: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "X-Problem": components["headers"]["Problem"];
                    "WWW-Authenticate": components["headers"]["BearerChallenge"];
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
