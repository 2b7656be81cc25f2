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
         * @description The platform calls this when a customer enters the portal (M4). In the sandbox, the platform also calls it when a customer opens a session and before it places an order (OP-17). Your response decides whether the platform admits the customer (G9). The query identifies the customer; the request has no body (OP-109).
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
         * @description The platform calls this after it has calculated the points of a payment event (G8). Credit each `transactionId` once (OP-16): the platform repeats the call until it receives a response, so the same event may arrive more than once (OP-24).
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
         * Deduct the points of a redemption
         * @description When a customer places an order (M5), the platform calls this for each line, before the order exists (OP-07). Deduct the points (B7): in the sandbox, `totalPointWithProcessingFee` (OP-08). Refuse the call if the credentials are invalid or the customer's points have changed: this check is a second level of security (B8, B9). Without a response, the platform repeats the call with the same `redeemCode`: deduct once, and return the same response (OP-23).
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
         * Receive the status of a redemption
         * @description The platform calls this when a vendor has delivered or has failed (G15, G16). On `Delivered`, the points stay deducted (S4), and after your response you can read the voucher codes from the wallet (OP-121). On `Rejected`, credit the redemption's `totalPointWithProcessingFee` back (S8), once (OP-21). Both statuses are final: repeating the same status changes nothing, and your server refuses a contradicting one (OP-21). Store a `Rejected` for an unknown code, so that you can refuse a deduction that arrives later (OP-22).
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
        /** @description Unique id of the customer. */
        Uid: string;
        /** @description The profile of a customer. */
        Profile: {
            uid: string;
            name: string;
            /** @description May be empty. */
            email: string;
            mobileNo: string;
            /**
             * @description A date in the form day/month/year.
             * @example 14/08/1991
             */
            dob: string;
            address1: string;
            address2: string;
            city: string;
            /** @description Indian postal code. */
            pincode: number;
            /** @description State code. In the sandbox, it is the GST state code: 29 is Karnataka (OP-235). */
            state: number;
            cus_type: string;
            partnerType: string;
            /** @description Permanent account number. */
            pan: string;
            panVerifiedStatus: string;
            /** @description May be empty. In the sandbox, it is a day/month/year date (OP-235). */
            mdate: string;
            projectCode: string;
            projectName: string;
            projectId: number;
        };
        /** @description Points of a customer. `balance` is `totalEarned` minus `totalRedeemed` (OP-235). */
        Points: {
            /** Format: int64 */
            totalEarned: number;
            /** Format: int64 */
            balance: number;
            /** Format: int64 */
            totalRedeemed: number;
        };
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
        /** @description Like NumericText, but at least 1. */
        PositiveNumericText: string;
        /** @description The record that the client receives when an order is placed, one for each line (OP-07). Every value is text (R12). */
        RedemptionRecord: {
            uid: components["schemas"]["Uid"];
            /** @description Code of the project or programme. */
            scheme: string;
            /** @description Unique code of this redemption. */
            redeemCode: string;
            /** @description Points for the products of the line. */
            redeemPoints: components["schemas"]["PositiveNumericText"];
            /** @description Delivery address of a physical product. It is empty for an e-gift voucher (OP-235). */
            shippingAddress: string;
            /** @description Fee in points. */
            processingFee: components["schemas"]["NumericText"];
            /** @description Unique id of the product. It is the `sku_code` (OP-235). */
            productCode: string;
            productName: string;
            /** @description Number of units ordered. */
            quantity: components["schemas"]["PositiveNumericText"];
            /** @constant */
            redeemStatus: "pending";
            email: string;
            mobileNo: string;
            /** @description redeemPoints plus TDS points. */
            totalpoints: components["schemas"]["PositiveNumericText"];
            /** @description The number to deduct now, and to credit back if the redemption is rejected. */
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
            /** @description The reason for a rejection. May be empty. */
            remark: string;
            projectCode: string;
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
        /** @description The request headers cannot be read. */
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
         * @description The refused part of the request and the expected value. The interface fixes the envelope's message, so this header contains the details.
         * @example /redeemPoints must be a whole number as text, such as "250"
         */
        Problem: string;
        /**
         * @description The authentication scheme to use and the reason for the refusal. Without a credential, `Bearer` and a realm (RFC 6750, 3.1).
         * @example Bearer error="invalid_token"
         */
        BearerChallenge: string;
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
    getProfileAndPoints: {
        parameters: {
            query: {
                /**
                 * @description The customer. It must be the subject of the JWT (OP-19).
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
            /** @description The customer's profile and points. */
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
            /** @description The token is invalid or, in the sandbox, the customer is unknown (OP-44). */
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
            /** @description This call or an earlier one credited the points. */
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
            409: components["responses"]["WorkspaceFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The client refused the call and credited nothing (OP-16). */
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
            /** @description This call (B7) or an earlier one (OP-23) deducted the points. */
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
            409: components["responses"]["WorkspaceFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The client refused the call and deducted nothing (OP-15). */
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
            /** @description This call or an earlier one recorded the status (OP-21). */
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
            409: components["responses"]["WorkspaceFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The client refused the call and changed nothing (OP-21). */
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
