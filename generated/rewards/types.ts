/* Written by `npm run generate` from openapi/. Do not edit. */
export interface paths {
    "/v1/company/auth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange the company secret for a token
         * @description This is step one of two. The response contains a token for the calls that follow. It is valid for an hour and cannot be refreshed; request a new one when it expires (OP-02). An `Authorization` header is optional and ignored (OP-02); the interface's example shows the bare word `Required` (A2).
         */
        post: operations["companyAuth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customer/auth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a customer session
         * @description This is step two. Send the customer's JWT from OTP verification. The platform uses it to request profile and points from the client. If the client accepts it, the session opens. If the client returns `Token Invalid`, the call returns code 56. The session lasts 30 minutes, and never longer than the JWT.
         */
        post: operations["customerAuth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/partner/rewards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List rewards, page by page
         * @description Request the first page without a cursor, then send each page's `next_cursor` until `has_more` is false (A10). Do this once to fill your own copy; afterwards, the webhook for catalogue updates reports changes (A11). A full read returns each item that exists throughout the read exactly once, even if other items are added or removed meanwhile (OP-12). Unknown query parameters are ignored (OP-11).
         */
        get: operations["listRewards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/partner/redeemptiononskus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem points for one or more rewards
         * @description Creates a redemption order. Each line becomes one redemption with its own code, and the client deducts its points
         *     (OP-07). The platform places all lines or none (OP-07). It responds after the client has deducted the points of
         *     every line. Fulfilment follows, and the platform reports the status of each line to the client (OP-07).
         *
         *     With a customer token, the order is for that token's customer. With a company token, it is for the `uid` in the
         *     body (OP-05).
         *
         *     Send an `Idempotency-Key`, so that a call repeated after a lost response returns the same order (OP-20).
         */
        post: operations["createRedemptionOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/getwalletdetail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a customer's voucher codes
         * @description Returns one record for each voucher of the customer (R22), oldest first (OP-27). The vouchers are those of delivered e-gift redemptions (OP-27). They appear after the client has answered the `Delivered` status update with 200 (OP-121). The client calls this operation and sends the codes through its own SMS and WhatsApp gateways; the platform sends none (G5, G17). Physical products have no vouchers, and a `uid` without vouchers returns an empty list (OP-27).
         */
        get: operations["getWalletDetail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/partner/events/payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a digital payment
         * @description The platform calculates the points of a customer's digital payment, returns their number immediately, and then calls the client's creditPoints. Repeating a `transactionId` with the same values returns the same response and credits once. The platform refuses other values, and a customer whom the client does not know (OP-130).
         */
        post: operations["sendPaymentEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/partner/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List registered addresses
         * @description Lists the registrations, oldest first, without signing secrets.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Register an address for catalogue updates
         * @description The platform sends every change of the catalogue to this address as `catalogue.updated`, signed as in Standard Webhooks. Only this response contains the signing secret. Plain http is accepted for loopback addresses only. There can be 20 addresses.
         */
        post: operations["registerWebhook"];
        /**
         * Remove a registered address
         * @description Stops all deliveries to the address, including pending retries.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    catalogueUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The catalogue changed
         * @description The platform sends this message to every registered address. Verify `webhook-signature` (HMAC-SHA256 over id, timestamp and body, as in Standard Webhooks), use `webhook-id` to discard duplicates, and return 2xx. After any other response, or none, the platform retries on the schedule of OP-24.
         */
        post: operations["catalogueUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        CompanyCredentials: {
            /**
             * Format: password
             * @description The company's secret.
             */
            secret: string;
        };
        CompanyToken: {
            /** @constant */
            success: true;
            /** @constant */
            status: 200;
            token: string;
            /** @constant */
            token_type: "Bearer";
            /** @description Lifetime of the token in seconds. */
            expires_in: number;
        };
        CustomerCredentials: {
            uid: components["schemas"]["Uid"];
            token: components["schemas"]["TokenText"];
        };
        CustomerSession: {
            /** @constant */
            success: true;
            /** @constant */
            status: 200;
            token: string;
            /** @constant */
            token_type: "Bearer";
            /** @description Lifetime of the token in seconds. */
            expires_in: number;
            profile: components["schemas"]["Profile"];
            points: components["schemas"]["Points"];
        };
        OrderRequest: components["schemas"]["OrderFields"] & {
            uid: components["schemas"]["Uid"];
        };
        /** @description The error of a refused listing. */
        ListingError: components["schemas"]["FlatError"] & {
            /** @constant */
            name?: "Bad Request";
            /** @constant */
            status?: 400;
        };
        Wallet: {
            /** @constant */
            success: true;
            /** @constant */
            status: 200;
            data: components["schemas"]["Voucher"][];
        };
        PaymentEvent: {
            uid: components["schemas"]["Uid"];
            /** @constant */
            eventType: "DIGITAL_PAYMENT";
            /** @description Your own id for the payment. */
            transactionId: string;
            paymentAmount: components["schemas"]["AmountText"];
            /**
             * Format: date-time
             * @description Time of the payment, at most 24 hours ahead (OP-131). Optional. Defaults to now.
             */
            occurred_at?: string;
        };
        PaymentAccepted: {
            /** @constant */
            success: true;
            /** @constant */
            status: 202;
            transactionId: string;
            points: components["schemas"]["WholePoints"];
        };
        WebhookRequest: {
            /**
             * Format: uri
             * @description An https address, or http on loopback or in a private range that the operator allows.
             */
            url: string;
        };
        WebhookFields: {
            webhook_id: string;
            /** Format: uri */
            url: string;
            events: "catalogue.updated"[];
            created_at: components["schemas"]["Timestamp"];
        };
        Webhook: components["schemas"]["WebhookFields"];
        WebhookWithSecret: components["schemas"]["WebhookFields"] & {
            /** @description Base64 key after `whsec_`, shown once. */
            secret: string;
        };
        WebhookList: {
            items: components["schemas"]["Webhook"][];
        };
        /** @description Unique id of the customer. */
        Uid: string;
        /** @description The JWT of the customer. It contains visible ASCII characters only (OP-80). */
        TokenText: string;
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
        /**
         * @description 1: can be ordered; 0: inactive; 2: out of stock. Listings contain items of all statuses.
         * @enum {integer}
         */
        ItemStatus: 0 | 1 | 2;
        /** @description A price in INR as decimal text with at most two decimals. */
        PriceInInr: string;
        /** @description A number, written as text. */
        NumberText: string;
        /** @description A whole number written as text, without sign, leading zero, exponent or decimals. */
        NumericText: string;
        EgvFields: {
            /** @description Id of the record. */
            id: number;
            /** @constant */
            product_type: "EGV";
            /** @description The exact SKU to send in an entry of `line_items` (R3). */
            sku_code: string;
            status: components["schemas"]["ItemStatus"];
            /** @description Name to show. */
            skus: string;
            /** @description Price of the voucher. It is in INR, with two decimals if it has paise (OP-134). */
            denomination_value: components["schemas"]["PriceInInr"] & components["schemas"]["NumberText"];
            /** @description Stock level for a restock warning at the platform. It does not limit orders. */
            qty_trigger_limit: components["schemas"]["NumericText"] & components["schemas"]["NumberText"];
            /** @description Quantity. It is the number of vouchers in stock (OP-49). */
            qty: components["schemas"]["NumericText"] & components["schemas"]["NumberText"];
        };
        /** @description An e-gift voucher. */
        EgvItem: components["schemas"]["EgvFields"];
        PhysicalFields: {
            /** @description Id of the record. */
            id: number;
            /** @constant */
            product_type: "PHYSICAL";
            /** @description The exact SKU to send in an entry of `line_items` (R3). */
            sku_code: string;
            status: components["schemas"]["ItemStatus"];
            /** @description Name to show. */
            skus: string;
            /** @description Price of the product. It is in INR, with two decimals if it has paise (OP-134). */
            price: components["schemas"]["PriceInInr"] & components["schemas"]["NumberText"];
            /** @description Number of units in stock. */
            stock_qty: components["schemas"]["NumericText"] & components["schemas"]["NumberText"];
        };
        /** @description A physical product. */
        PhysicalItem: components["schemas"]["PhysicalFields"];
        /** @description A catalogue item: one of type EGV (R4) or one of type PHYSICAL (R5). */
        CatalogueItem: components["schemas"]["EgvItem"] | components["schemas"]["PhysicalItem"];
        CataloguePage: {
            items: components["schemas"]["CatalogueItem"][];
            /** @description Opaque cursor of the next page, to send as `cursor` (A8); null on the last page. */
            next_cursor: string | null;
            /** @description Whether another page follows. */
            has_more: boolean;
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
        LineInput: {
            /** @description The `sku_code` of a catalogue item (A13). */
            sku: string;
            /** @description Number of units. */
            quantity: number;
        };
        /** @description The fields that every order accepts, in all APIs. */
        OrderFields: {
            line_items: components["schemas"]["LineInput"][];
            /** @description Delivery address, not blank; required if a line is PHYSICAL */
            shipping_address?: string;
            /** @description Email address with text on both sides of one @; defaults to the one in the customer's profile */
            email?: string;
            /** @description 6 to 15 digits, optionally with a leading + and single spaces or hyphens; defaults to the number in the customer's profile */
            mobile_no?: string;
            /** @description Your own id for the order, included in responses. Must be unique among placed orders. */
            reference_id?: string;
        };
        /** @enum {string} */
        OrderStatus: "Pending" | "Delivered" | "Rejected";
        /**
         * Format: int64
         * @description A number of points, never negative.
         */
        WholePoints: number;
        OrderPoints: {
            /** @description Points of one unit times the quantity. */
            redeemPoints: components["schemas"]["WholePoints"];
            /** @description TDS of all units: `tdsSingleItem` of the redemption record times the quantity. */
            tdsPoints: components["schemas"]["WholePoints"];
            processingFee: components["schemas"]["WholePoints"];
            /** @description The sum of `redeemPoints`, `tdsPoints` and `processingFee`. The client deducts this sum and returns it after a rejection. */
            totalPointWithProcessingFee: components["schemas"]["WholePoints"];
        };
        OrderLine: {
            /** @description The code that identifies this line on both sides. */
            redeemCode: string;
            sku_code: string;
            /** @enum {string} */
            product_type: "EGV" | "PHYSICAL";
            product_name: string;
            quantity: number;
            points: components["schemas"]["OrderPoints"];
            status: components["schemas"]["OrderStatus"];
            /** @description The reason for a rejection, otherwise empty. */
            remark: string;
        };
        /**
         * Format: date-time
         * @description A time on the sandbox clock, in UTC.
         */
        Timestamp: string;
        /** @description An order and its lines. It is Pending while any line is Pending, Rejected if every line is Rejected, and otherwise Delivered. */
        Order: {
            order_id: string;
            /** @description Your own id; null if you sent no id. */
            reference_id: string | null;
            status: components["schemas"]["OrderStatus"];
            lines: components["schemas"]["OrderLine"][];
            points: components["schemas"]["OrderPoints"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description Date and time in Indian Standard Time, as `YYYY-MM-DD HH:MM:SS`. */
        LocalDateTime: string;
        Voucher: {
            /** @description Unique code of the voucher. */
            voucherCode: string;
            /** @description The `redeemCode` of the redemption record (OP-235). */
            redemptionCode: string;
            projectCode: string;
            /** @description The vendor that issued the voucher. */
            partnerCode: string;
            /** @description Id of the product. It is the `sku_code` (OP-235). */
            productCode: string;
            productName: string;
            /** @description Value of the voucher. It is in whole INR (OP-134). */
            denomination: number;
            /** @description The same as `denomination`. */
            faceValue: number;
            validityStartDate: components["schemas"]["LocalDateTime"];
            validityEndDate: components["schemas"]["LocalDateTime"];
            /** @description Id of a gift card, otherwise null. */
            GCID: string | null;
            /** @description PIN of the voucher if it has one, otherwise null. */
            pin: string | null;
            /** @description `Expired` after the validity ends, otherwise empty. */
            remark: string;
        };
        /** @description An amount in INR as decimal text with at most two decimals. */
        AmountText: string;
        /** @description The payload of a catalogue webhook; for a removed item, its last state. */
        CatalogueUpdated: {
            /** @constant */
            type: "catalogue.updated";
            timestamp: components["schemas"]["Timestamp"];
            data: {
                items: {
                    /** @enum {string} */
                    change: "created" | "updated" | "removed";
                    item: components["schemas"]["CatalogueItem"];
                }[];
            };
        };
    };
    responses: {
        /** @description The page matches `If-None-Match`. The response has no body. */
        NotModified: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                ETag: components["headers"]["EntityTag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A part of the request is missing or malformed. */
        BadRequest: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The calling server is not on the allowlist. */
        Forbidden: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The body is larger than 64 KiB. */
        PayloadTooLarge: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The content type is not JSON. */
        UnsupportedMediaType: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The hourly quota is used up. */
        RateLimited: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
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
        /** @description The token is missing or not valid for this operation. */
        Unauthorized: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                "WWW-Authenticate": components["headers"]["BearerChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The workspace has reached its data limit. */
        WorkspaceFull: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The client refused the call. */
        RefusedByClient: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                "X-Problem": components["headers"]["MagicValue"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The client was unreachable, or its response was invalid. */
        ClientDidNotAnswer: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                "X-Problem": components["headers"]["ClientProblem"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The idempotency key was used with another body, another order has the `reference_id`, or the workspace is full. */
        OrderConflict: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description A query parameter is missing or malformed. */
        BadQuery: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The request headers cannot be read. */
        BadHead: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description Nothing exists under this id. */
        NotFound: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
    };
    parameters: {
        /**
         * @description `egv` lists only items of `product_type` EGV, `physical` only those of PHYSICAL. Omit the parameter for all items (A6).
         * @example egv
         */
        CatalogueType: "egv" | "physical";
        /**
         * @description Number of items on a page.
         * @example 50
         */
        Limit: number;
        /**
         * @description The `next_cursor` of the previous page, unchanged. Omit the parameter for the first page. An empty cursor and this example are refused with code 51: a cursor is valid for its own filter only, for 24 hours at least (OP-12).
         * @example eyJhIjoiMDAwMDAwMDAwMDUwIn0.k3Jw1S0mB0y0t2l1Rkx4bQ
         */
        Cursor: string;
        /**
         * @description A key of your choice, unique to this order, payment or registration, such as a UUID. Repeating the call with the same key and body returns the first response byte for byte and has no further effect; another body is refused with code 58.
         * @example 7d0c5d9a-5e0f-4c6b-8a53-0f1a4be7f0f2
         */
        IdempotencyKey: string;
        /**
         * @description The `ETag` values of pages that you have, separated by commas, or `*`. If the page matches one of them, the response is a 304 without a body. Other values are ignored.
         * @example "jP1lmHq0n6xk0Z3yq9dW5rFvC2A"
         */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this call in the activity log. Include it in support requests. If you send a W3C `traceparent` header, this is its trace id.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        TraceId: string;
        /**
         * @description Remaining quota, and seconds until one more request is available (IETF draft).
         * @example "hour";r=0;t=42
         */
        RateLimit: string;
        /**
         * @description The quota and its window in seconds (IETF draft).
         * @example "hour";q=1000;w=3600
         */
        RateLimitPolicy: string;
        /**
         * @description Caches must not store this response, because it contains a credential (RFC 6749, 5.1).
         * @example no-store
         */
        NotKept: "no-store";
        /**
         * @description Seconds to wait before the next attempt.
         * @example 42
         */
        RetryAfter: number;
        /**
         * @description The authentication scheme to use and the reason for the refusal. Without a credential, `Bearer` and a realm (RFC 6750, 3.1).
         * @example Bearer error="invalid_token"
         */
        BearerChallenge: string;
        /**
         * @description The magic values in the call, if any, with a link to their documentation.
         * @example magic value MAGIC-ZERO, see docs/magic-values.md#magic-zero
         */
        MagicValue: string;
        /**
         * @description The problem with the client's server, which the fixed message does not describe: unreachable, too slow, failed, or an invalid part of its response. The header also links to the fix and names the magic values in the call, if any.
         * @example the client's server: reply /points/balance must be an integer; see /docs/errors#client_no_answer
         */
        ClientProblem: string;
        /**
         * @description Identifies this exact page. Send the value in `If-None-Match`: while the page is unchanged, the response is a 304 without a body (RFC 9110, 8.8.3).
         * @example "jP1lmHq0n6xk0Z3yq9dW5rFvC2A"
         */
        EntityTag: string;
        /** @description `true` if this is the stored response to an earlier call with the same `Idempotency-Key`. */
        IdempotentReplay: "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    companyAuth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyCredentials"];
            };
        };
        responses: {
            /** @description A company token. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["NotKept"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyToken"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description The secret is wrong. */
            401: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatError"];
                };
            };
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    customerAuth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerCredentials"];
            };
        };
        responses: {
            /** @description A customer token, with the profile and points that the client returned. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["NotKept"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["WorkspaceFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["RefusedByClient"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ClientDidNotAnswer"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRewards: {
        parameters: {
            query?: {
                /**
                 * @description `egv` lists only items of `product_type` EGV, `physical` only those of PHYSICAL. Omit the parameter for all items (A6).
                 * @example egv
                 */
                type?: components["parameters"]["CatalogueType"];
                /**
                 * @description Number of items on a page.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page, unchanged. Omit the parameter for the first page. An empty cursor and this example are refused with code 51: a cursor is valid for its own filter only, for 24 hours at least (OP-12).
                 * @example eyJhIjoiMDAwMDAwMDAwMDUwIn0.k3Jw1S0mB0y0t2l1Rkx4bQ
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /**
                 * @description The `ETag` values of pages that you have, separated by commas, or `*`. If the page matches one of them, the response is a 304 without a body. Other values are ignored.
                 * @example "jP1lmHq0n6xk0Z3yq9dW5rFvC2A"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the catalogue. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CataloguePage"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The `type` or `cursor` (X6, X7), or another query parameter (OP-11), is invalid. */
            400: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListingError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRedemptionOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your choice, unique to this order, payment or registration, such as a UUID. Repeating the call with the same key and body returns the first response byte for byte and has no further effect; another body is refused with code 58.
                 * @example 7d0c5d9a-5e0f-4c6b-8a53-0f1a4be7f0f2
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderRequest"];
            };
        };
        responses: {
            /** @description The order is placed and its points are deducted. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["OrderConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description No order is placed, and no points are deducted. */
            422: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "X-Problem": components["headers"]["MagicValue"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ClientDidNotAnswer"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWalletDetail: {
        parameters: {
            query: {
                /**
                 * @description The customer who owns the vouchers. A customer token allows only its own customer (OP-45).
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
            /** @description The vouchers. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendPaymentEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your choice, unique to this order, payment or registration, such as a UUID. Repeating the call with the same key and body returns the first response byte for byte and has no further effect; another body is refused with code 58.
                 * @example 7d0c5d9a-5e0f-4c6b-8a53-0f1a4be7f0f2
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentEvent"];
            };
        };
        responses: {
            /** @description The payment is accepted. The platform credits the points next. */
            202: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentAccepted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The transaction or the idempotency key was used with other values, or the workspace is full. */
            409: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["RefusedByClient"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The registrations. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            400: components["responses"]["BadHead"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    registerWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your choice, unique to this order, payment or registration, such as a UUID. Repeating the call with the same key and body returns the first response byte for byte and has no further effect; another body is refused with code 58.
                 * @example 7d0c5d9a-5e0f-4c6b-8a53-0f1a4be7f0f2
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookRequest"];
            };
        };
        responses: {
            /** @description The address is registered. */
            201: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The limit is reached, the idempotency key was used with another body, or the workspace is full. */
            409: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query: {
                /**
                 * @description The id from the registration.
                 * @example WHK-000001-5D2A
                 */
                webhook_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The address is removed. */
            204: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    catalogueUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's id, the same for every attempt.
                 * @example MSG-000001-8C1F
                 */
                "webhook-id": string;
                /**
                 * @description Time of this attempt in seconds since 1970, in real time, to compare with your own clock (OP-135).
                 * @example 1768192200
                 */
                "webhook-timestamp": string;
                /**
                 * @description One or more of `v1,` and a Base64 signature, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CatalogueUpdated"];
            };
        };
        responses: {
            /** @description The message was received. Any 2xx confirms this. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The message was not received. After any response other than 2xx, the platform retries. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
