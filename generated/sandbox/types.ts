/* Written by `npm run generate` from openapi/. Do not edit. */
export interface paths {
    readonly "/health": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Tell whether the sandbox takes calls
         * @description Answers as soon as everything is up. Wait for it before a test run.
         */
        readonly get: operations["getHealth"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/workspace": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show addresses, credentials and settings
         * @description Everything an integration needs to know to talk to this sandbox.
         */
        readonly get: operations["getWorkspace"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change settings
         * @description Send only what changes. A change counts for calls that arrive after the reply.
         */
        readonly patch: operations["updateWorkspace"];
        readonly trace?: never;
    };
    readonly "/reset": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Go back to the seed
         * @description Drops all customers, items, orders, ledger entries, messages, activity and due work, and seeds the workspace
         *     anew, with the settings and the clock it started with. Credentials stay the same.
         */
        readonly post: operations["resetWorkspace"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/customers": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List customers
         * @description All customers of the reference client, oldest first.
         */
        readonly get: operations["listCustomers"];
        readonly put?: never;
        /**
         * Make a customer
         * @description Only `uid` is needed; a plausible profile is generated for what you leave out. A balance above zero is booked as
         *     an opening entry of the ledger.
         */
        readonly post: operations["createCustomer"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/customers/{uid}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a customer
         * @description Profile fields that you send replace the old ones. A new balance is reached by one ledger entry for the
         *     difference.
         */
        readonly patch: operations["updateCustomer"];
        readonly trace?: never;
    };
    readonly "/catalogue": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the whole catalogue
         * @description Every item with its stock and vendor, by id.
         */
        readonly get: operations["listCatalogue"];
        readonly put?: never;
        /**
         * Add an item
         * @description Registered webhooks are told. What you leave out is generated.
         */
        readonly post: operations["createCatalogueItem"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/catalogue/{sku_code}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change an item
         * @description Stock of 0 turns an active item out of stock (status 2), stock above 0 turns it active again. Registered webhooks
         *     are told.
         */
        readonly patch: operations["updateCatalogueItem"];
        readonly trace?: never;
    };
    readonly "/vendor-outcomes/{sku_code}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show what the vendor will do with an item
         * @description The outcome that was set, or the default.
         */
        readonly get: operations["getVendorOutcome"];
        /**
         * Decide what the vendor does with an item
         * @description Counts for redemptions that reach the vendor from now on. Without it, delivery follows after two seconds.
         */
        readonly put: operations["setVendorOutcome"];
        readonly post?: never;
        /**
         * Go back to the default outcome
         * @description Deletes what was set; deleting what was never set is fine too.
         */
        readonly delete: operations["deleteVendorOutcome"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/messages": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the outbox
         * @description What the client would have sent by SMS and WhatsApp, newest first. This is the one place where one-time passwords
         *     and voucher codes can be read.
         */
        readonly get: operations["listMessages"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Follow what happened
         * @description Every call in and out and every state change, oldest first. Filters combine. The newest 10,000 entries are kept;
         *     secrets, one-time passwords, PAN and mobile numbers are masked.
         */
        readonly get: operations["listActivity"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/ledger/{uid}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read a customer's ledger
         * @description The reference client's entries, oldest first, and the balance that they add up to.
         */
        readonly get: operations["getLedger"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/clock": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the sandbox clock
         * @description Tells sandbox time and whether it runs by itself.
         */
        readonly get: operations["getClock"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/clock/advance": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Move sandbox time forward
         * @description Moves from one due piece of work to the next, in time order, runs each at its own instant, and ends at the asked
         *     time. The reply comes when all of it has run.
         */
        readonly post: operations["advanceClock"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/settle": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Run what is due now
         * @description Runs everything that is due at this instant, with what that causes at once, and answers when it is done. Time does not move.
         */
        readonly post: operations["settle"];
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
        readonly Health: {
            /** @constant */
            readonly status: "ok";
            readonly version: string;
        };
        readonly Settings: {
            readonly points_per_100_inr: components["schemas"]["SmallCount"];
            readonly point_value_inr: components["schemas"]["PointValue"];
            readonly processing_fee_egv: components["schemas"]["SmallCount"];
            readonly processing_fee_physical: components["schemas"]["SmallCount"];
            readonly tds_percent: components["schemas"]["Percent"];
            readonly pending_timeout: components["schemas"]["Seconds"];
            readonly on_timeout: components["schemas"]["OnTimeout"];
            readonly rate_limit: components["schemas"]["Quota"];
            readonly allowlist: components["schemas"]["Allowlist"];
            /**
             * Format: uri
             * @description Where the platform finds the client.
             */
            readonly client_url: string;
            /** @description The service token that the platform sends (OP-17). */
            readonly client_token: string;
        };
        readonly SmallCount: number;
        /** @description INR that one point is worth. */
        readonly PointValue: string;
        readonly Percent: number;
        readonly Seconds: number;
        /**
         * @description What the client does with a redemption that stays pending too long.
         * @enum {string}
         */
        readonly OnTimeout: "wait" | "reverse";
        /** @description Accepted requests in any sliding hour per company. */
        readonly Quota: number;
        /**
         * @description Address ranges (CIDR) that may call the rewards API. Empty lets everyone.
         * @example [
         *       "127.0.0.0/8",
         *       "::1/128"
         *     ]
         */
        readonly Allowlist: readonly string[];
        readonly SettingsChange: {
            readonly points_per_100_inr?: components["schemas"]["SmallCount"];
            readonly point_value_inr?: components["schemas"]["PointValue"];
            readonly processing_fee_egv?: components["schemas"]["SmallCount"];
            readonly processing_fee_physical?: components["schemas"]["SmallCount"];
            readonly tds_percent?: components["schemas"]["Percent"];
            readonly pending_timeout?: components["schemas"]["Seconds"];
            readonly on_timeout?: components["schemas"]["OnTimeout"];
            readonly rate_limit?: components["schemas"]["Quota"];
            readonly allowlist?: components["schemas"]["Allowlist"];
            /**
             * Format: uri
             * @description An https address, or http on loopback; null for the reference client.
             */
            readonly client_url?: string | null;
            /** @description Null for the token of the reference client. */
            readonly client_token?: string | null;
        };
        readonly WorkspaceChange: {
            readonly settings: components["schemas"]["SettingsChange"];
        };
        readonly Workspace: {
            readonly urls: {
                /** Format: uri */
                readonly rewards: string;
                /** Format: uri */
                readonly client: string;
                /** Format: uri */
                readonly portal: string;
                /** Format: uri */
                readonly general: string;
                /** Format: uri */
                readonly sandbox: string;
            };
            readonly credentials: {
                /** @description For companyAuth. */
                readonly company_secret: string;
                /** @description For customer authentication. */
                readonly basic: {
                    readonly username: string;
                    readonly password: string;
                };
                /** @description What the reference client accepts from the platform. */
                readonly service_token: string;
            };
            readonly project_code: string;
            readonly settings: components["schemas"]["Settings"];
        };
        readonly Customer: {
            readonly uid: components["schemas"]["Uid"];
            readonly profile: components["schemas"]["Profile"];
            readonly points: components["schemas"]["Points"];
        };
        readonly CustomerList: {
            readonly items: readonly components["schemas"]["Customer"][];
        };
        /** @description Any of the profile's own fields. `uid` and the project are not changed by it. */
        readonly ProfileInput: {
            readonly name?: string;
            readonly email?: string;
            readonly mobileNo?: string;
            readonly dob?: string;
            readonly address1?: string;
            readonly address2?: string;
            readonly city?: string;
            readonly pincode?: number;
            readonly state?: number;
            readonly cus_type?: string;
            readonly partnerType?: string;
            readonly pan?: string;
            readonly panVerifiedStatus?: string;
            readonly mdate?: string;
        };
        readonly BalanceInput: {
            readonly balance: components["schemas"]["WholePoints"];
        };
        readonly CustomerInput: {
            readonly uid: components["schemas"]["Uid"];
            readonly profile?: components["schemas"]["ProfileInput"];
            readonly points?: components["schemas"]["BalanceInput"];
        };
        readonly CustomerChange: {
            readonly profile?: components["schemas"]["ProfileInput"];
            readonly points?: components["schemas"]["BalanceInput"];
        };
        readonly StockFields: {
            /** @description The number behind `qty` or `stock_qty`. */
            readonly stock: number;
            /**
             * @description Who fulfils it.
             * @enum {string}
             */
            readonly vendor: "egift" | "merchandise" | "services";
        };
        readonly StockItem: (components["schemas"]["EgvFields"] & components["schemas"]["StockFields"]) | (components["schemas"]["PhysicalFields"] & components["schemas"]["StockFields"]);
        readonly StockItemList: {
            readonly items: readonly components["schemas"]["StockItem"][];
        };
        readonly ItemInput: {
            readonly sku_code: string;
            /** @enum {string} */
            readonly product_type: "EGV" | "PHYSICAL";
            readonly status?: components["schemas"]["ItemStatus"];
            readonly skus?: string;
            readonly denomination_value?: components["schemas"]["PriceText"];
            readonly price?: components["schemas"]["PriceText"];
            readonly qty_trigger_limit?: components["schemas"]["StockText"];
            readonly qty?: components["schemas"]["StockText"];
            readonly stock_qty?: components["schemas"]["StockText"];
            /** @description The same as `qty` or `stock_qty`; one of them is enough. */
            readonly stock?: number;
            /** @enum {string} */
            readonly vendor?: "egift" | "merchandise" | "services";
        };
        readonly ItemChange: {
            readonly status?: components["schemas"]["ItemStatus"];
            readonly skus?: string;
            readonly denomination_value?: components["schemas"]["PriceText"];
            readonly price?: components["schemas"]["PriceText"];
            readonly qty_trigger_limit?: components["schemas"]["StockText"];
            readonly qty?: components["schemas"]["StockText"];
            readonly stock_qty?: components["schemas"]["StockText"];
            /** @description The same as `qty` or `stock_qty`; one of them is enough. */
            readonly stock?: number;
            /** @enum {string} */
            readonly vendor?: "egift" | "merchandise" | "services";
        };
        /** @description Whole INR as text. */
        readonly PriceText: string;
        /** @description Whole number as text. */
        readonly StockText: string;
        /**
         * @description `deliver` delivers; `reject` and `out_of_stock` end the redemption as Rejected; `timeout` lets every try of the
         *     platform run out, until it gives up and rejects; `fail_then_deliver` fails `times` tries and delivers at the
         *     next; `never` leaves the redemption pending.
         * @enum {string}
         */
        readonly OutcomeName: "deliver" | "reject" | "out_of_stock" | "timeout" | "fail_then_deliver" | "never";
        readonly VendorOutcomeInput: {
            readonly outcome: components["schemas"]["OutcomeName"];
            /** @description The remark of a rejection. */
            readonly reason?: string;
            /** @description With `fail_then_deliver`, how many tries fail first (1 to 4, default 1). With any other outcome, for how many redemptions it counts before the default returns (left out: until deleted). */
            readonly times?: number;
            /**
             * @description Sandbox seconds until the vendor answers.
             * @default 2
             */
            readonly delay_seconds?: number;
        };
        readonly VendorOutcome: {
            readonly sku_code: string;
            readonly outcome: components["schemas"]["OutcomeName"];
            readonly reason: string;
            /** @description Failures before delivery, or redemptions left; null when unlimited. */
            readonly times: number | null;
            readonly delay_seconds: number;
        };
        readonly Message: {
            readonly uid: string;
            /** @enum {string} */
            readonly kind: "otp" | "voucher";
            /** @description The code; there for `otp` only. */
            readonly otp?: string;
            readonly text: string;
            readonly at: components["schemas"]["Timestamp"];
        };
        readonly MessageList: {
            readonly items: readonly components["schemas"]["Message"][];
        };
        readonly ActivityFields: {
            readonly seq: number;
            readonly at: components["schemas"]["Timestamp"];
            readonly trace: string;
            /**
             * @description Who was called, who called, or whose state changed.
             * @enum {string}
             */
            readonly party: "client" | "platform" | "vendor" | "sandbox";
            readonly uid: string | null;
            readonly redeem_codes: readonly string[];
        };
        readonly ActivityCall: components["schemas"]["ActivityFields"] & {
            /** @enum {string} */
            readonly kind: "call_in" | "call_out";
            readonly method: string;
            readonly url: string;
            /** @description operationId; null when the contract knows none. */
            readonly operation: string | null;
            /** @description Null when no reply came. */
            readonly status: number | null;
            /** @description The body that was sent, masked; null when there was none. */
            readonly request: unknown;
            /** @description The body that came back, masked; null when there was none. */
            readonly reply: unknown;
            /** @description What was odd but let through or repeated. */
            readonly notices: readonly string[];
        };
        readonly ActivityState: components["schemas"]["ActivityFields"] & {
            /** @constant */
            readonly kind: "state";
            /** @description What changed, such as `order.placed` or `points.reversed`. */
            readonly event: string;
            readonly detail: {
                readonly [key: string]: unknown;
            };
        };
        readonly ActivityList: {
            readonly items: readonly (components["schemas"]["ActivityCall"] | components["schemas"]["ActivityState"])[];
        };
        readonly LedgerEntry: {
            /** @enum {string} */
            readonly kind: "credit" | "deduct" | "reverse";
            readonly points: components["schemas"]["WholePoints"];
            /** @description transactionId, redeemCode, or `opening`. */
            readonly reference: string;
            /** @enum {string} */
            readonly label: "Earned" | "Pending" | "Redeemed" | "Reversed";
            readonly at: components["schemas"]["Timestamp"];
        };
        readonly Ledger: {
            readonly items: readonly components["schemas"]["LedgerEntry"][];
            readonly balance: components["schemas"]["WholePoints"];
        };
        readonly Clock: {
            readonly now: components["schemas"]["Timestamp"];
            /** @enum {string} */
            readonly mode: "running" | "frozen";
        };
        readonly ClockAdvance: {
            readonly seconds: number;
        };
        readonly Ran: {
            readonly now: components["schemas"]["Timestamp"];
            /** @description Pieces of work that ran. */
            readonly ran: number;
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
        /**
         * Format: date-time
         * @description An instant in UTC, as the sandbox clock tells it.
         */
        readonly Timestamp: string;
    };
    responses: {
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
    parameters: never;
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
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly getHealth: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Up. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Health"];
                };
            };
            readonly 400: components["responses"]["BadHead"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getWorkspace: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The workspace. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Workspace"];
                };
            };
            readonly 400: components["responses"]["BadHead"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly updateWorkspace: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WorkspaceChange"];
            };
        };
        readonly responses: {
            /** @description The workspace. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Workspace"];
                };
            };
            /** @description A part of the request is missing or malformed. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FlatError"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly resetWorkspace: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The workspace. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Workspace"];
                };
            };
            readonly 400: components["responses"]["BadHead"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listCustomers: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The customers. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CustomerList"];
                };
            };
            readonly 400: components["responses"]["BadHead"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createCustomer: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CustomerInput"];
            };
        };
        readonly responses: {
            /** @description The customer. */
            readonly 201: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Customer"];
                };
            };
            /** @description A part of the request is missing or malformed. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FlatError"];
                };
            };
            /** @description The id is taken. */
            readonly 409: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FlatError"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly updateCustomer: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The customer.
                 * @example CUST0007
                 */
                readonly uid: components["schemas"]["Uid"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CustomerChange"];
            };
        };
        readonly responses: {
            /** @description The customer. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Customer"];
                };
            };
            /** @description A part of the request is missing or malformed. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FlatError"];
                };
            };
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listCatalogue: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The items. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StockItemList"];
                };
            };
            readonly 400: components["responses"]["BadHead"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createCatalogueItem: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ItemInput"];
            };
        };
        readonly responses: {
            /** @description The item. */
            readonly 201: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StockItem"];
                };
            };
            /** @description A part of the request is missing or malformed. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FlatError"];
                };
            };
            /** @description The id is taken. */
            readonly 409: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FlatError"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly updateCatalogueItem: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The item.
                 * @example EGV-SPICE-500
                 */
                readonly sku_code: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ItemChange"];
            };
        };
        readonly responses: {
            /** @description The item. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StockItem"];
                };
            };
            /** @description A part of the request is missing or malformed. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FlatError"];
                };
            };
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getVendorOutcome: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The item.
                 * @example EGV-SPICE-500
                 */
                readonly sku_code: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What the vendor will do. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VendorOutcome"];
                };
            };
            readonly 400: components["responses"]["BadHead"];
            readonly 404: components["responses"]["NotFound"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly setVendorOutcome: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The item.
                 * @example EGV-SPICE-500
                 */
                readonly sku_code: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["VendorOutcomeInput"];
            };
        };
        readonly responses: {
            /** @description What the vendor will do. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VendorOutcome"];
                };
            };
            /** @description A part of the request is missing or malformed. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FlatError"];
                };
            };
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly deleteVendorOutcome: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The item.
                 * @example EGV-SPICE-500
                 */
                readonly sku_code: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The default counts again. */
            readonly 204: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["BadHead"];
            readonly 404: components["responses"]["NotFound"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listMessages: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Messages to this customer only.
                 * @example CUST0007
                 */
                readonly uid?: components["schemas"]["Uid"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The messages. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MessageList"];
                };
            };
            /** @description A part of the request is missing or malformed. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FlatError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listActivity: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Entries of this trace only.
                 * @example 4bf92f3577b34da6a3ce929d0e0e4736
                 */
                readonly trace?: string;
                /**
                 * @description Entries about this redemption only.
                 * @example RDM-000001-9K2QX4
                 */
                readonly redeem_code?: string;
                /**
                 * @description Entries about this customer only.
                 * @example CUST0007
                 */
                readonly uid?: components["schemas"]["Uid"];
                /**
                 * @description At most so many of the newest entries.
                 * @example 100
                 */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The entries. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ActivityList"];
                };
            };
            /** @description A part of the request is missing or malformed. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FlatError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getLedger: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The customer.
                 * @example CUST0007
                 */
                readonly uid: components["schemas"]["Uid"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The ledger. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Ledger"];
                };
            };
            readonly 400: components["responses"]["BadHead"];
            readonly 404: components["responses"]["NotFound"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getClock: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The time. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Clock"];
                };
            };
            readonly 400: components["responses"]["BadHead"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly advanceClock: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ClockAdvance"];
            };
        };
        readonly responses: {
            /** @description What ran. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Ran"];
                };
            };
            /** @description A part of the request is missing or malformed. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FlatError"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly settle: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What ran. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Ran"];
                };
            };
            readonly 400: components["responses"]["BadHead"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
}
