/* Written by `npm run generate` from openapi/. Do not edit. */
export interface paths {
    readonly "/v1/company/auth": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Exchange the company secret for a token
         * @description Step one of two. The token opens the rest of this API for an hour; ask for a new one when it runs out, there is
         *     no refresh. An `Authorization` header may be sent and is not looked at here (the interface's example carries
         *     the literal word `Required`).
         */
        readonly post: operations["companyAuth"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/customer/auth": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Open a customer session
         * @description Step two. Send the customer's JWT, as OTP verification returned it. The platform asks the client for profile and
         *     points with it: the client's yes is the customer's way in, its `Token Invalid` ends the attempt with code 56.
         *     The session lasts 30 minutes and never outlives the JWT.
         */
        readonly post: operations["customerAuth"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/partner/rewards": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List rewards, page by page
         * @description Read the first page without a cursor, then pass each page's `next_cursor` back until `has_more` is false. Do
         *     this once to fill your own copy; afterwards the catalogue webhook tells what changed. A walk through all pages
         *     meets every item that stays in the catalogue exactly once, also while others come and go. Query parameters that
         *     are not listed here are ignored.
         */
        readonly get: operations["listRewards"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/partner/redeemptiononskus": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Redeem points for one or more rewards
         * @description Each line becomes one redemption with a code of its own, which the platform reports to the client to have the
         *     points deducted. All lines stand or none does. The reply comes once the client has deducted every line; fulfilment
         *     follows, and its outcome is reported to the client line by line.
         *
         *     A customer token orders for its own customer. A company token orders for the `uid` in the body.
         *
         *     Send an `Idempotency-Key`: a repeat after a lost reply then returns the same order.
         */
        readonly post: operations["createRedemptionOrder"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/getwalletdetail": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Fetch a customer's voucher codes
         * @description Returns one record for each voucher of the customer's delivered e-gift redemptions, oldest first. The client calls
         *     it after a `Delivered` report and passes the codes on by its own SMS and WhatsApp gateways; the platform sends
         *     none. Physical products have no vouchers. A `uid` without any gives an empty list.
         */
        readonly get: operations["getWalletDetail"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/partner/events/payment": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Report a digital payment
         * @description Tells the platform that a customer paid digitally. The platform works out the points, answers at once with their
         *     number, and then calls the client's creditPoints. The same `transactionId` with the same values is answered the
         *     same way and credited once, however often it comes; with other values it is refused.
         */
        readonly post: operations["sendPaymentEvent"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/partner/webhooks": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List registered addresses
         * @description Shows what is registered, oldest first, without the signing secrets.
         */
        readonly get: operations["listWebhooks"];
        readonly put?: never;
        /**
         * Register an address for catalogue updates
         * @description From now on every change of the catalogue is posted to this address as `catalogue.updated`, signed by the
         *     Standard Webhooks convention. The signing secret is shown in this reply and never again. Plain http is taken for
         *     loopback addresses only.
         */
        readonly post: operations["registerWebhook"];
        /**
         * Remove a registered address
         * @description Nothing more is sent to the address, retries that are still due included.
         */
        readonly delete: operations["deleteWebhook"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface webhooks {
    readonly catalogueUpdated: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * The catalogue changed
         * @description The platform posts this to every registered address. Check `webhook-signature` (HMAC-SHA256 over id, timestamp
         *     and body, as Standard Webhooks lays down), drop what you have seen by its `webhook-id`, and answer 2xx. Any other
         *     answer, or none, is tried again on the schedule of OP-24.
         */
        readonly post: operations["catalogueUpdated"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface components {
    schemas: {
        readonly CompanyCredentials: {
            /**
             * Format: password
             * @description The company secret given at onboarding.
             */
            readonly secret: string;
        };
        readonly CompanyToken: {
            /** @constant */
            readonly success: true;
            /** @constant */
            readonly status: 200;
            readonly token: string;
            /** @constant */
            readonly token_type: "Bearer";
            /** @description Seconds. */
            readonly expires_in: number;
        };
        readonly CustomerCredentials: {
            readonly uid: components["schemas"]["Uid"];
            /** @description The JWT of `verifyOtp`. */
            readonly token: string;
        };
        readonly CustomerSession: {
            /** @constant */
            readonly success: true;
            /** @constant */
            readonly status: 200;
            readonly token: string;
            /** @constant */
            readonly token_type: "Bearer";
            /** @description Seconds. */
            readonly expires_in: number;
            readonly profile: components["schemas"]["Profile"];
            readonly points: components["schemas"]["Points"];
        };
        readonly OrderRequest: components["schemas"]["OrderFields"] & {
            readonly uid: components["schemas"]["Uid"];
        };
        readonly Wallet: {
            /** @constant */
            readonly success: true;
            /** @constant */
            readonly status: 200;
            readonly data: readonly components["schemas"]["Voucher"][];
        };
        readonly PaymentEvent: {
            readonly uid: components["schemas"]["Uid"];
            /** @constant */
            readonly eventType: "DIGITAL_PAYMENT";
            /** @description Your own id of the payment. */
            readonly transactionId: string;
            readonly paymentAmount: components["schemas"]["AmountText"];
            /**
             * Format: date-time
             * @description When it was paid. Left out, it counts as now.
             */
            readonly occurred_at?: string;
        };
        readonly PaymentAccepted: {
            /** @constant */
            readonly success: true;
            /** @constant */
            readonly status: 202;
            readonly transactionId: string;
            readonly points: components["schemas"]["WholePoints"];
        };
        readonly WebhookRequest: {
            /**
             * Format: uri
             * @description An https address, or http on loopback.
             */
            readonly url: string;
        };
        readonly WebhookFields: {
            readonly webhook_id: string;
            /** Format: uri */
            readonly url: string;
            readonly events: readonly "catalogue.updated"[];
            readonly created_at: components["schemas"]["Timestamp"];
        };
        readonly Webhook: components["schemas"]["WebhookFields"];
        readonly WebhookWithSecret: components["schemas"]["WebhookFields"] & {
            /** @description Base64 key behind `whsec_`, shown once. */
            readonly secret: string;
        };
        readonly WebhookList: {
            readonly items: readonly components["schemas"]["Webhook"][];
        };
        readonly CatalogueUpdated: {
            /** @constant */
            readonly type: "catalogue.updated";
            readonly timestamp: components["schemas"]["Timestamp"];
            readonly data: {
                readonly items: readonly {
                    /** @enum {string} */
                    readonly change: "created" | "updated" | "removed";
                    readonly item: components["schemas"]["CatalogueItem"];
                }[];
            };
        };
        /** @description What went wrong. `code` tells the conditions apart; `type` is a server class name that nobody should branch on. */
        readonly FlatError: {
            /** @description The reason phrase of the status. */
            readonly name: string;
            /** @description What was wrong and where. */
            readonly message: string;
            /** @description The condition, see the table of codes. */
            readonly code: number;
            /** @description The HTTP status again. */
            readonly status: number;
            /** @description Class name of the server's exception. */
            readonly type: string;
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
        /**
         * @description 1 can be ordered, 0 is inactive, 2 is out of stock. All three are listed.
         * @enum {integer}
         */
        readonly ItemStatus: 0 | 1 | 2;
        /** @description A whole number written as text, without sign, leading zero, exponent or decimals. */
        readonly NumericText: string;
        readonly EgvFields: {
            /** @description Record id of the item. */
            readonly id: number;
            /** @constant */
            readonly product_type: "EGV";
            /** @description What to send as `sku` in an order line. */
            readonly sku_code: string;
            readonly status: components["schemas"]["ItemStatus"];
            /** @description Name to show. */
            readonly skus: string;
            /** @description Price of one voucher in INR. */
            readonly denomination_value: components["schemas"]["NumericText"];
            /** @description Stock level at which the platform is warned to restock. Orders are not limited by it. */
            readonly qty_trigger_limit: components["schemas"]["NumericText"];
            /** @description Vouchers in stock. */
            readonly qty: components["schemas"]["NumericText"];
        };
        /** @description An e-gift voucher. */
        readonly EgvItem: components["schemas"]["EgvFields"];
        readonly PhysicalFields: {
            /** @description Record id of the item. */
            readonly id: number;
            /** @constant */
            readonly product_type: "PHYSICAL";
            /** @description What to send as `sku` in an order line. */
            readonly sku_code: string;
            readonly status: components["schemas"]["ItemStatus"];
            /** @description Name to show. */
            readonly skus: string;
            /** @description Price of one piece in INR. */
            readonly price: components["schemas"]["NumericText"];
            /** @description Pieces in stock. */
            readonly stock_qty: components["schemas"]["NumericText"];
        };
        /** @description A product that is shipped. */
        readonly PhysicalItem: components["schemas"]["PhysicalFields"];
        /** @description One reward. `product_type` tells which fields are there. */
        readonly CatalogueItem: components["schemas"]["EgvItem"] | components["schemas"]["PhysicalItem"];
        readonly CataloguePage: {
            readonly items: readonly components["schemas"]["CatalogueItem"][];
            /** @description Send it as `cursor` for the next page; null on the last one. Treat it as opaque. */
            readonly next_cursor: string | null;
            /** @description Whether another page follows. */
            readonly has_more: boolean;
        };
        readonly LineInput: {
            /** @description The `sku_code` of a catalogue item. */
            readonly sku: string;
            /** @description How many units of it. */
            readonly quantity: number;
        };
        /** @description What every order takes, whichever door it comes through. */
        readonly OrderFields: {
            readonly line_items: readonly components["schemas"]["LineInput"][];
            /** @description Where to deliver. Needed as soon as one line is PHYSICAL. */
            readonly shipping_address?: string;
            /** @description Left out, the address of the customer's profile is used. */
            readonly email?: string;
            /** @description Left out, the number of the customer's profile is used. */
            readonly mobile_no?: string;
            /** @description Your own id for the order, returned with it. */
            readonly reference_id?: string;
        };
        /** @enum {string} */
        readonly OrderStatus: "Pending" | "Delivered" | "Rejected";
        readonly OrderPoints: {
            readonly redeemPoints: components["schemas"]["WholePoints"];
            readonly processingFee: components["schemas"]["WholePoints"];
            /** @description What the client deducts, and gives back on a rejection. */
            readonly totalPointWithProcessingFee: components["schemas"]["WholePoints"];
        };
        readonly OrderLine: {
            /** @description The code that this line is known by on both sides. */
            readonly redeemCode: string;
            readonly sku_code: string;
            /** @enum {string} */
            readonly product_type: "EGV" | "PHYSICAL";
            readonly product_name: string;
            readonly quantity: number;
            readonly points: components["schemas"]["OrderPoints"];
            readonly status: components["schemas"]["OrderStatus"];
            /** @description Why the line was rejected, else empty. */
            readonly remark: string;
        };
        /**
         * Format: date-time
         * @description An instant in UTC, as the sandbox clock tells it.
         */
        readonly Timestamp: string;
        /** @description An order and its lines. It is Delivered once every line is, Rejected once every line is, and Pending while any line is; a mix of delivered and rejected lines shows as Delivered, with the rejected lines marked. */
        readonly Order: {
            readonly order_id: string;
            /** @description Your own id, null when you gave none. */
            readonly reference_id: string | null;
            readonly status: components["schemas"]["OrderStatus"];
            readonly lines: readonly components["schemas"]["OrderLine"][];
            readonly points: components["schemas"]["OrderPoints"];
            readonly created_at: components["schemas"]["Timestamp"];
            readonly updated_at: components["schemas"]["Timestamp"];
        };
        /** @description Date and time in Indian Standard Time, as `YYYY-MM-DD HH:MM:SS`. */
        readonly LocalDateTime: string;
        readonly Voucher: {
            /** @description What the customer presents to the brand. */
            readonly voucherCode: string;
            /** @description The redeemCode of the order line. */
            readonly redemptionCode: string;
            readonly projectCode: string;
            /** @description The vendor that issued it. */
            readonly partnerCode: string;
            /** @description The `sku_code`. */
            readonly productCode: string;
            readonly productName: string;
            /** @description Value in INR. */
            readonly denomination: number;
            /** @description Printed value in INR. */
            readonly faceValue: number;
            readonly validityStartDate: components["schemas"]["LocalDateTime"];
            readonly validityEndDate: components["schemas"]["LocalDateTime"];
            /** @description Gift card id where the brand has one, else null. */
            readonly GCID: string | null;
            /** @description PIN where the brand asks for one, else null. */
            readonly pin: string | null;
            readonly remark: string;
        };
        /** @description An amount in INR as decimal text with at most two decimals. */
        readonly AmountText: string;
    };
    responses: {
        /** @description A part of the request is missing or malformed. */
        readonly BadRequest: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The calling server is not on the allowlist. */
        readonly Forbidden: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The body is larger than 64 KiB. */
        readonly PayloadTooLarge: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The body is not declared as JSON. */
        readonly UnsupportedMediaType: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The hourly quota is used up. */
        readonly RateLimited: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceId"];
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The server failed. */
        readonly InternalError: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FlatError"];
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
                readonly "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The token is missing or not valid here. */
        readonly Unauthorized: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceId"];
                readonly "WWW-Authenticate": components["headers"]["BearerChallenge"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The client refused the call. */
        readonly RefusedByClient: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The client could not be reached or gave no usable reply. */
        readonly ClientDidNotAnswer: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The idempotency key belongs to another body. */
        readonly IdempotencyConflict: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description A query parameter is missing or malformed. */
        readonly BadQuery: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The head of the request cannot be read. */
        readonly BadHead: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description Nothing is known under this id. */
        readonly NotFound: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FlatError"];
            };
        };
    };
    parameters: {
        /**
         * @description Which half of the catalogue to list. Leave it out for everything.
         * @example egv
         */
        readonly CatalogueType: "egv" | "physical";
        /**
         * @description How many items a page holds.
         * @example 50
         */
        readonly Limit: number;
        /**
         * @description The `next_cursor` of the page before, unchanged. Leave it out for the first page. It belongs to the filter it was made with and lasts 24 hours.
         * @example eyJhIjoiMDAwMDAwMDAwMDUwIn0.k3Jw1S0mB0y0t2l1Rkx4bQ
         */
        readonly Cursor: string;
        /**
         * @description A key of your own choice, unique to this piece of work (a UUID is a good one). Sending the same key with the same body again returns the first reply byte for byte and causes nothing new; with another body it is refused with code 58.
         * @example 7d0c5d9a-5e0f-4c6b-8a53-0f1a4be7f0f2
         */
        readonly IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this call in the activity log. Quote it when you ask for help. A caller that sends a W3C `traceparent` header finds its own trace id here.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        readonly TraceId: string;
        /**
         * @description Whole seconds to wait before the next try.
         * @example 42
         */
        readonly RetryAfter: number;
        /**
         * @description What is left of the quota, and the seconds until one more request is free (IETF draft).
         * @example "hour";r=0;t=42
         */
        readonly RateLimit: string;
        /**
         * @description The quota and its window in seconds (IETF draft).
         * @example "hour";q=1000;w=3600
         */
        readonly RateLimitPolicy: string;
        /**
         * @description Names the scheme to use and why the credential was refused (RFC 6750).
         * @example Bearer error="invalid_token"
         */
        readonly BearerChallenge: string;
        /** @description Present (`true`) when the reply is the kept answer to an earlier call with the same `Idempotency-Key`. */
        readonly IdempotentReplay: "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly companyAuth: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CompanyCredentials"];
            };
        };
        readonly responses: {
            /** @description A company token. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CompanyToken"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            /** @description The secret is wrong. */
            readonly 401: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FlatError"];
                };
            };
            readonly 403: components["responses"]["Forbidden"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly customerAuth: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CustomerCredentials"];
            };
        };
        readonly responses: {
            /** @description A customer token, with the profile and points as the client tells them. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CustomerSession"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["RefusedByClient"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 502: components["responses"]["ClientDidNotAnswer"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listRewards: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Which half of the catalogue to list. Leave it out for everything.
                 * @example egv
                 */
                readonly type?: components["parameters"]["CatalogueType"];
                /**
                 * @description How many items a page holds.
                 * @example 50
                 */
                readonly limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before, unchanged. Leave it out for the first page. It belongs to the filter it was made with and lasts 24 hours.
                 * @example eyJhIjoiMDAwMDAwMDAwMDUwIn0.k3Jw1S0mB0y0t2l1Rkx4bQ
                 */
                readonly cursor?: components["parameters"]["Cursor"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CataloguePage"];
                };
            };
            /** @description A query parameter is not valid. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FlatError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createRedemptionOrder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description A key of your own choice, unique to this piece of work (a UUID is a good one). Sending the same key with the same body again returns the first reply byte for byte and causes nothing new; with another body it is refused with code 58.
                 * @example 7d0c5d9a-5e0f-4c6b-8a53-0f1a4be7f0f2
                 */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OrderRequest"];
            };
        };
        readonly responses: {
            /** @description The order stands and its points are deducted. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplay"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Order"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 409: components["responses"]["IdempotencyConflict"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description The order cannot be placed. No order stands and no points are gone. */
            readonly 422: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplay"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FlatError"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 502: components["responses"]["ClientDidNotAnswer"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getWalletDetail: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description Whose vouchers. A customer token sees its own customer only.
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
            /** @description The vouchers. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Wallet"];
                };
            };
            readonly 400: components["responses"]["BadQuery"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly sendPaymentEvent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description A key of your own choice, unique to this piece of work (a UUID is a good one). Sending the same key with the same body again returns the first reply byte for byte and causes nothing new; with another body it is refused with code 58.
                 * @example 7d0c5d9a-5e0f-4c6b-8a53-0f1a4be7f0f2
                 */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PaymentEvent"];
            };
        };
        readonly responses: {
            /** @description Taken. The credit follows. */
            readonly 202: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplay"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PaymentAccepted"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            /** @description The transaction or the idempotency key is known with other values. */
            readonly 409: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplay"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FlatError"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listWebhooks: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The registrations. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookList"];
                };
            };
            readonly 400: components["responses"]["BadHead"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly registerWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description A key of your own choice, unique to this piece of work (a UUID is a good one). Sending the same key with the same body again returns the first reply byte for byte and causes nothing new; with another body it is refused with code 58.
                 * @example 7d0c5d9a-5e0f-4c6b-8a53-0f1a4be7f0f2
                 */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WebhookRequest"];
            };
        };
        readonly responses: {
            /** @description Registered. */
            readonly 201: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplay"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 409: components["responses"]["IdempotencyConflict"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly deleteWebhook: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description The id from the registration.
                 * @example WHK-000001-5D2A
                 */
                readonly webhook_id: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Removed. */
            readonly 204: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["BadQuery"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly catalogueUpdated: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /**
                 * @description The same for every try of one event.
                 * @example MSG-000001-8C1F
                 */
                readonly "webhook-id": string;
                /**
                 * @description Seconds since 1970 of this try.
                 * @example 1768192200
                 */
                readonly "webhook-timestamp": string;
                /**
                 * @description One or more of `v1,` and a Base64 signature, separated by spaces.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CatalogueUpdated"];
            };
        };
        readonly responses: {
            /** @description Received. Any 2xx will do. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Any answer that is not 2xx leads to another try. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
