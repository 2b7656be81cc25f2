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
         * @description Step one of two. The reply holds a token for the calls that follow. It is good for an hour; ask for a new one when it runs
         *     out, since there is no refresh (OP-02). An `Authorization` header may be sent and is not looked at (OP-02); in the example of
         *     the interface it is the bare word `Required` (A2).
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
         * @description Step two. Send the customer's JWT, as OTP verification returned it. The platform asks the client for profile and
         *     points with it: the client's yes is the customer's way in, its `Token Invalid` ends the attempt with code 56.
         *     The session lasts 30 minutes and never outlives the JWT.
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
         * @description Read the first page without a cursor, then pass each page's `next_cursor` back until `has_more` is false (A10). Do this once
         *     to fill your own copy; afterwards the webhook for catalogue updates tells what changed (A11). A walk through all pages meets
         *     every item that stays in the catalogue exactly once, also while others come and go (OP-12). Query parameters that are not
         *     listed here are ignored (OP-11).
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
         * @description Creates a redemption order. Each line becomes one redemption with a code of its own, and the platform has the client deduct
         *     its points (OP-07). All lines stand or none does (OP-07). The reply comes once the client has deducted every line; fulfilment
         *     follows, and its outcome is reported to the client line by line (OP-07).
         *
         *     A customer token orders for its own customer. A company token orders for the `uid` in the body (OP-05).
         *
         *     Send an `Idempotency-Key`: a repeat after a lost reply then returns the same order (OP-20).
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
         * @description Shows one record for each voucher of the customer (R22). They are those of delivered e-gift redemptions, oldest first (OP-27),
         *     once the client has answered the `Delivered` report with 200 (OP-121). The client calls this operation and sends the codes by
         *     its own SMS and WhatsApp gateways; the platform sends none (G5, G17). Physical products have no vouchers, and a `uid` without
         *     any gives an empty list (OP-27).
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
         * @description Tells the platform that a customer paid digitally. The platform works out the points, answers at once with their
         *     number, and then calls the client's creditPoints. The same `transactionId` with the same values is answered the
         *     same way and credited once, however often it comes; with other values it is refused. A customer whom the client does not
         *     know is refused too (OP-130).
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
         * @description Shows what is registered, oldest first, without the signing secrets.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Register an address for catalogue updates
         * @description From now on every change of the catalogue is posted to this address as `catalogue.updated`, signed by the
         *     Standard Webhooks convention. The signing secret is shown in this reply and never again. Plain http is taken for
         *     loopback addresses only. There can be 20 addresses.
         */
        post: operations["registerWebhook"];
        /**
         * Remove a registered address
         * @description Nothing more is sent to the address, retries that are still due included.
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
         * @description The platform posts this to every registered address. Check `webhook-signature` (HMAC-SHA256 over id, timestamp
         *     and body, as Standard Webhooks lays down), drop what you have seen by its `webhook-id`, and answer 2xx. Any other
         *     answer, or none, is tried again on the schedule of OP-24.
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
            /** @description Seconds. */
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
            /** @description Seconds. */
            expires_in: number;
            profile: components["schemas"]["Profile"];
            points: components["schemas"]["Points"];
        };
        OrderRequest: components["schemas"]["OrderFields"] & {
            uid: components["schemas"]["Uid"];
        };
        /** @description What went wrong with a listing. */
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
            /** @description Your own id of the payment. */
            transactionId: string;
            paymentAmount: components["schemas"]["AmountText"];
            /**
             * Format: date-time
             * @description When it was paid, at most 24 hours ahead (OP-131). Left out, it counts as now.
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
            /** @description Base64 key behind `whsec_`, shown once. */
            secret: string;
        };
        WebhookList: {
            items: components["schemas"]["Webhook"][];
        };
        /** @description Unique id of the customer. */
        Uid: string;
        /** @description The JWT of the customer. It has visible ASCII characters only (OP-80). */
        TokenText: string;
        /** @description The profile of a customer. */
        Profile: {
            uid: string;
            name: string;
            /** @description May be empty. */
            email: string;
            mobileNo: string;
            /**
             * @description Day/month/year text.
             * @example 14/08/1991
             */
            dob: string;
            address1: string;
            address2: string;
            city: string;
            /** @description Indian postal code. */
            pincode: number;
            /** @description Code of the state. In the sandbox it is the code that GST uses: 29 is Karnataka (OP-235). */
            state: number;
            cus_type: string;
            partnerType: string;
            /** @description Permanent account number. */
            pan: string;
            panVerifiedStatus: string;
            /** @description May be empty. In the sandbox it is a date as day/month/year text (OP-235). */
            mdate: string;
            projectCode: string;
            projectName: string;
            projectId: number;
        };
        /** @description Points of a customer. `balance` is `totalEarned` less `totalRedeemed` (OP-235). */
        Points: {
            /** Format: int64 */
            totalEarned: number;
            /** Format: int64 */
            balance: number;
            /** Format: int64 */
            totalRedeemed: number;
        };
        /**
         * @description 1 can be ordered, 0 is inactive, 2 is out of stock. All three are listed.
         * @enum {integer}
         */
        ItemStatus: 0 | 1 | 2;
        /** @description An amount in INR as decimal text with at most two decimals. */
        AmountText: string;
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
            /** @description Price of the voucher. It is in INR, with two decimals where it has paise (OP-134). */
            denomination_value: components["schemas"]["AmountText"] & components["schemas"]["NumberText"];
            /** @description Stock level at which the platform is warned to restock. Orders are not limited by it. */
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
            /** @description Price of the product. It is in INR, with two decimals where it has paise (OP-134). */
            price: components["schemas"]["AmountText"] & components["schemas"]["NumberText"];
            /** @description How many are in stock. */
            stock_qty: components["schemas"]["NumericText"] & components["schemas"]["NumberText"];
        };
        /** @description A physical product. */
        PhysicalItem: components["schemas"]["PhysicalFields"];
        /** @description A catalogue item: one of type EGV (R4) or one of type PHYSICAL (R5). */
        CatalogueItem: components["schemas"]["EgvItem"] | components["schemas"]["PhysicalItem"];
        CataloguePage: {
            items: components["schemas"]["CatalogueItem"][];
            /** @description Opaque cursor of the page that follows, to send as `cursor` (A8); null on the last page. */
            next_cursor: string | null;
            /** @description Whether another page follows. */
            has_more: boolean;
        };
        /** @description What went wrong. Tell the conditions apart by `code` (OP-13), and do not branch on `type` (OP-14). */
        FlatError: {
            /** @description The reason phrase of the status. */
            name: string;
            /** @description What was wrong and where. */
            message: string;
            /** @description 50 for an invalid `type`, 51 for an invalid or expired `cursor` (X6, X7). Other conditions have codes of this sandbox (OP-13). */
            code: number;
            /** @description The HTTP status. */
            status: number;
            /** @description Class name of the server's exception. */
            type: string;
        };
        LineInput: {
            /** @description The `sku_code` of a catalogue item (A13). */
            sku: string;
            /** @description How many units of it. */
            quantity: number;
        };
        /** @description What every order takes, whichever API it comes through. */
        OrderFields: {
            line_items: components["schemas"]["LineInput"][];
            /** @description Where to deliver, not only blanks; needed as soon as one line is PHYSICAL */
            shipping_address?: string;
            /** @description Something before and behind one @; left out, the address of the customer's profile is used */
            email?: string;
            /** @description 6 to 15 digits, with + in front and single blanks or hyphens between them if you like; left out, the number of the customer's profile is used */
            mobile_no?: string;
            /** @description Your own id for the order, returned with it. No other order that stands has it. */
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
            /** @description The sum of the three above. What the client deducts, and gives back on a rejection. */
            totalPointWithProcessingFee: components["schemas"]["WholePoints"];
        };
        OrderLine: {
            /** @description The code that this line is known by on both sides. */
            redeemCode: string;
            sku_code: string;
            /** @enum {string} */
            product_type: "EGV" | "PHYSICAL";
            product_name: string;
            quantity: number;
            points: components["schemas"]["OrderPoints"];
            status: components["schemas"]["OrderStatus"];
            /** @description Why the line was rejected, else empty. */
            remark: string;
        };
        /**
         * Format: date-time
         * @description An instant in UTC, as the sandbox clock tells it.
         */
        Timestamp: string;
        /** @description An order and its lines. It is Delivered once every line is, Rejected once every line is, and Pending while any line is; a mix of delivered and rejected lines shows as Delivered, with the rejected lines marked. */
        Order: {
            order_id: string;
            /** @description Your own id, null when you gave none. */
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
            /** @description Code of the redemption. It is the `redeemCode` of the redemption record (OP-235). */
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
            /** @description Id of a gift card, else null. */
            GCID: string | null;
            /** @description PIN of the voucher where it has one, else null. */
            pin: string | null;
            /** @description `Expired` once the validity is over, else empty. */
            remark: string;
        };
        /** @description What a catalogue webhook carries. A removed item is shown as it was last. */
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
        /** @description The page is one of those that `If-None-Match` named. There is no body. */
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
        /** @description The body is not declared as JSON. */
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
        /** @description The server cannot take the call now. */
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
        /** @description The token is missing or not valid here. */
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
        /** @description The workspace holds as much data as it may. */
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
        /** @description The client could not be reached or gave no usable reply. */
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
        /** @description The idempotency key belongs to another body, or the `reference_id` to another order; or there is no room for it. */
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
        /** @description The head of the request cannot be read. */
        BadHead: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description Nothing is known under this id. */
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
         * @description `egv` lists items of `product_type` EGV only, `physical` those of PHYSICAL only. Leave it out for all items (A6).
         * @example egv
         */
        CatalogueType: "egv" | "physical";
        /**
         * @description How many items a page holds.
         * @example 50
         */
        Limit: number;
        /**
         * @description The `next_cursor` of the page before, unchanged. Leave the parameter out for the first page. An empty one is refused with code 51, as the one of this example is: a cursor holds for the filter it was made with, for 24 hours at least (OP-12).
         * @example eyJhIjoiMDAwMDAwMDAwMDUwIn0.k3Jw1S0mB0y0t2l1Rkx4bQ
         */
        Cursor: string;
        /**
         * @description A key of your own choice, unique to this piece of work (a UUID is a good one). Sending the same key with the same body again returns the first reply byte for byte and causes nothing new; with another body it is refused with code 58.
         * @example 7d0c5d9a-5e0f-4c6b-8a53-0f1a4be7f0f2
         */
        IdempotencyKey: string;
        /**
         * @description The `ETag` of a page that you have, several with commas between them, or `*`. Where the page is one of them the reply is a 304 without a body. What is neither names no page.
         * @example "jP1lmHq0n6xk0Z3yq9dW5rFvC2A"
         */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this call in the activity log. Quote it when you ask for help. A caller that sends a W3C `traceparent` header finds its own trace id here.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        TraceId: string;
        /**
         * @description What is left of the quota, and the seconds until one more request is free (IETF draft).
         * @example "hour";r=0;t=42
         */
        RateLimit: string;
        /**
         * @description The quota and its window in seconds (IETF draft).
         * @example "hour";q=1000;w=3600
         */
        RateLimitPolicy: string;
        /**
         * @description No cache keeps this reply, which carries a credential (RFC 6749, 5.1).
         * @example no-store
         */
        NotKept: "no-store";
        /**
         * @description Whole seconds to wait before the next try.
         * @example 42
         */
        RetryAfter: number;
        /**
         * @description Names the scheme to use, and why the credential was refused; where none was sent, `Bearer` and a realm (RFC 6750, 3.1).
         * @example Bearer error="invalid_token"
         */
        BearerChallenge: string;
        /**
         * @description Names the magic values in the call, where it has any, and the row of the docs that says what they do.
         * @example magic value MAGIC-ZERO, see docs/magic-values.md#magic-zero
         */
        MagicValue: string;
        /**
         * @description What was wrong with the client's server, which the fixed message does not say: that it was not reached, answered too late, failed, or gave a reply that is not as its contract says, and where. Then the page that says what to do, and the magic values in the call, where it has any.
         * @example the client's server: reply /points/balance must be integer; see /docs/errors#client_no_answer
         */
        ClientProblem: string;
        /**
         * @description Stands for these bytes. Send it back in `If-None-Match`, and as long as the page is the same the reply is a 304 without a body (RFC 9110, 8.8.3).
         * @example "jP1lmHq0n6xk0Z3yq9dW5rFvC2A"
         */
        EntityTag: string;
        /** @description Present (`true`) when the reply is the kept answer to an earlier call with the same `Idempotency-Key`. */
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
            /** @description A customer token, with the profile and points as the client tells them. */
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
                 * @description `egv` lists items of `product_type` EGV only, `physical` those of PHYSICAL only. Leave it out for all items (A6).
                 * @example egv
                 */
                type?: components["parameters"]["CatalogueType"];
                /**
                 * @description How many items a page holds.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before, unchanged. Leave the parameter out for the first page. An empty one is refused with code 51, as the one of this example is: a cursor holds for the filter it was made with, for 24 hours at least (OP-12).
                 * @example eyJhIjoiMDAwMDAwMDAwMDUwIn0.k3Jw1S0mB0y0t2l1Rkx4bQ
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /**
                 * @description The `ETag` of a page that you have, several with commas between them, or `*`. Where the page is one of them the reply is a 304 without a body. What is neither names no page.
                 * @example "jP1lmHq0n6xk0Z3yq9dW5rFvC2A"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
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
            /** @description `type` or `cursor` is not valid (X6, X7), or another query parameter is not (OP-11). */
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
                 * @description A key of your own choice, unique to this piece of work (a UUID is a good one). Sending the same key with the same body again returns the first reply byte for byte and causes nothing new; with another body it is refused with code 58.
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
            /** @description The order stands and its points are deducted. */
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
            /** @description The order cannot be placed. No order stands and no points are gone. */
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
                 * @description Whose vouchers. A customer token sees its own customer only (OP-45).
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
                 * @description A key of your own choice, unique to this piece of work (a UUID is a good one). Sending the same key with the same body again returns the first reply byte for byte and causes nothing new; with another body it is refused with code 58.
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
            /** @description Taken. The credit follows. */
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
            /** @description The transaction or the idempotency key is known with other values, or there is no room for more. */
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
                 * @description A key of your own choice, unique to this piece of work (a UUID is a good one). Sending the same key with the same body again returns the first reply byte for byte and causes nothing new; with another body it is refused with code 58.
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
            /** @description Registered. */
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
            /** @description There are as many as there can be, the idempotency key belongs to another body, or there is no room for more. */
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
            /** @description Removed. */
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
                 * @description The same for every try of one event.
                 * @example MSG-000001-8C1F
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since 1970 of this try, in real time: what receivers hold against their own clock (OP-135).
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
            /** @description Received. Any 2xx will do. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Any answer that is not 2xx leads to another try. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
