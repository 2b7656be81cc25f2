/* Written by `npm run generate` from openapi/. Do not edit. */
export interface paths {
    "/api/v1/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the catalogue, page by page
         * @description The listing of `listRewards` under its version 2.0 name: same items, same filter, same paging. Follow
         *     `next_cursor` until `has_more` is false.
         */
        get: operations["listCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders": {
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
         * @description Works as `createRedemptionOrder`, with `customer_id` for `uid`: one redemption per line, all lines or none, and
         *     the reply once the client has deducted every line through `redeemPoints`. Read the end of the order from
         *     `getOrderStatus`; a line that fails is given back through `reversePoints`. The client's profile of the customer is
         *     not asked for, and `email` and `mobile_no` go no further: `redeemPoints` has no room for them.
         *
         *     A customer token, or the customer's JWT, orders for its own customer. A company token orders for the `customer_id`
         *     in the body.
         *
         *     Send an `Idempotency-Key`: a repeat after a lost reply then returns the same order.
         */
        post: operations["createOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an order and how far its lines are
         * @description Name the order by its `order_id`, or by the `redeem_code` of one of its lines, or by both of the same order. The reply
         *     is the whole order either way, whichever API it was placed through. A customer token, or the JWT, sees its own customer's orders
         *     only; any other order is answered as if it did not exist, and so is one that does not stand.
         */
        get: operations["getOrderStatus"];
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
        OrderRequest: components["schemas"]["OrderFields"] & {
            customer_id: components["schemas"]["Uid"];
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
        /** @description Unique id of the customer. */
        Uid: string;
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
         * @description Stands for these bytes. Send it back in `If-None-Match`, and as long as the page is the same the reply is a 304 without a body (RFC 9110, 8.8.3).
         * @example "jP1lmHq0n6xk0Z3yq9dW5rFvC2A"
         */
        EntityTag: string;
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
        /**
         * @description What was wrong with the client's server, which the fixed message does not say: that it was not reached, answered too late, failed, or gave a reply that is not as its contract says, and where. Then the page that says what to do, and the magic values in the call, where it has any.
         * @example the client's server: reply /points/balance must be integer; see /docs/errors#client_no_answer
         */
        ClientProblem: string;
        /** @description Present (`true`) when the reply is the kept answer to an earlier call with the same `Idempotency-Key`. */
        IdempotentReplay: "true";
        /**
         * @description Names the magic values in the call, where it has any, and the row of the docs that says what they do.
         * @example magic value MAGIC-ZERO, see docs/magic-values.md#magic-zero
         */
        MagicValue: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listCatalog: {
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
            /** @description A query parameter is not valid. */
            400: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ClientDidNotAnswer"];
            503: components["responses"]["Unavailable"];
        };
    };
    createOrder: {
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
    getOrderStatus: {
        parameters: {
            query?: {
                /**
                 * @description The id that placing the order returned.
                 * @example ORD-000002-1C8E
                 */
                order_id?: string;
                /**
                 * @description The `redeemCode` of any line of the order.
                 * @example RDM-000003-Q8WZ5H
                 */
                redeem_code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order as it stands now. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description Neither an order nor a redemption is named, or both are. */
            400: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ClientDidNotAnswer"];
            503: components["responses"]["Unavailable"];
        };
    };
}
