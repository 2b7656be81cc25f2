/* Written by `npm run generate` from openapi/. Do not edit. */
export interface paths {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the sandbox accepts calls
         * @description Returns 200 once everything has started; wait for this response before a test run. Returns 503 with code 69 after a failed disk write of the workspace: writes are rejected until a restart (OP-94).
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show addresses, credentials and settings
         * @description Returns everything an integration needs to use this sandbox.
         */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change settings
         * @description Send only the settings that change. A change applies to calls that arrive after the response.
         */
        patch: operations["updateWorkspace"];
        trace?: never;
    };
    "/connection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the connection to the client
         * @description Checks with a few calls whether the platform and the microsite can call the client at `client_url`, as `rewards-sandbox doctor` does: address, path, token, customer, format, time and Basic credentials. The checks change nothing, and no customer receives a code. The result omits checks that an earlier check rules out.
         */
        get: operations["checkConnection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the workspace
         * @description Deletes all customers, items, orders, ledger entries, messages, activity and due work, and seeds the workspace again, with its original settings and clock. Credentials stay the same. Other workspaces are not affected, even by a reset of the demo workspace.
         */
        post: operations["resetWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List customers
         * @description Returns the customers of the reference client, ordered by `uid`.
         */
        get: operations["listCustomers"];
        put?: never;
        /**
         * Create a customer
         * @description Only `uid` is required; the sandbox generates the rest. A balance above zero becomes an opening entry in the ledger.
         */
        post: operations["createCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a customer
         * @description The profile fields that you send replace the current values. A new balance adds one ledger entry for the difference.
         */
        patch: operations["updateCustomer"];
        trace?: never;
    };
    "/catalogue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the whole catalogue
         * @description Returns every item with its stock and vendor, ordered by id.
         */
        get: operations["listCatalogue"];
        put?: never;
        /**
         * Add an item
         * @description Adds an item and notifies registered webhooks. The sandbox generates omitted fields.
         */
        post: operations["createCatalogueItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/catalogue/{sku_code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an item
         * @description The item disappears from all listings and cannot be ordered. Instead of asking the vendor, the platform rejects the item's pending redemptions, so that the client returns the points. Registered webhooks receive the item's last state. The item's code can be reused; its id cannot. Unlisted items, such as magic items, are not found.
         */
        delete: operations["deleteCatalogueItem"];
        options?: never;
        head?: never;
        /**
         * Change an item
         * @description A stock of 0 sets an active item to out of stock (status 2); a stock above 0 activates it again. The sandbox notifies registered webhooks.
         */
        patch: operations["updateCatalogueItem"];
        trace?: never;
    };
    "/vendor-outcomes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the vendor rules
         * @description Lists every item with a rule, ordered by code, including magic items. Vendors deliver other items after two seconds.
         */
        get: operations["listVendorOutcomes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vendor-outcomes/{sku_code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Return the vendor's behaviour for an item
         * @description The rule of the item, or the default.
         */
        get: operations["getVendorOutcome"];
        /**
         * Set the vendor's behaviour for an item
         * @description Applies to redemptions that reach the vendor from now on. Without a rule, delivery follows after two seconds.
         */
        put: operations["setVendorOutcome"];
        post?: never;
        /**
         * Restore the default outcome
         * @description Deletes the rule. Succeeds even if no rule exists.
         */
        delete: operations["deleteVendorOutcome"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List active faults
         * @description Returns the faults, oldest first. A fault disappears after its last call.
         */
        get: operations["listFaults"];
        put?: never;
        /**
         * Make calls of an operation fail
         * @description The fault affects all calls to `target`, before any other processing. If several faults apply to a call, only
         *     the oldest takes effect. Set `times` to affect a number of calls, or `share` to affect a fraction of calls,
         *     drawn from the seed. With neither, the fault affects every call until you delete it.
         *
         *     | `fault` | What happens | Required |
         *     |---|---|---|
         *     | `latency` | Processed; the response arrives `ms` later. | `ms` |
         *     | `status` | Not processed; returns `status` in the API's envelope. | `status` |
         *     | `reset` | Not processed; the connection is reset. | |
         *     | `lost_reply` | Processed; the connection is reset before the response. | |
         *     | `malformed` | Processed; the body of the response is truncated and not JSON. | |
         *     | `drip` | Processed; the body of the response arrives in pieces over `ms`. | `ms` |
         *     | `duplicate` | Processed twice, as if it had arrived twice; the first response is sent. | |
         *     | `out_of_order` | Held until the next call of the operation has been processed, for at most 10 s. | |
         *
         *     An affected response contains the header `X-Fault: <id>`, and its log entry contains a notice. Milliseconds are
         *     real time, even on a frozen clock.
         *
         *     Faults on the client's operations take effect in the reference client. If the client is another server
         *     (`client_url`), they apply instead to calls from the platform and the microsite to that server, so that each
         *     fault takes effect once. Faults for `catalogueUpdated` always apply to deliveries.
         *
         *     | `fault` | Effect on a call to another server |
         *     |---|---|
         *     | `latency` | Sent; its response arrives `ms` later, which is too late at 15 s or more. |
         *     | `status` | Not sent; `status` in the client's envelope replaces the response. |
         *     | `reset` | Not sent; the connection is treated as broken. |
         *     | `lost_reply` | Sent and answered; the response is dropped. |
         *     | `malformed` | Sent; half of the response's body arrives. |
         *     | `drip` | Sent; the end of the response arrives `ms` later, which can be too late, as with `latency`. |
         *     | `duplicate` | Sent twice in succession, unchanged; the first response is used. |
         *     | `out_of_order` | Held until the next call of the operation has returned, for at most 10 s. |
         *
         *     The platform reads only the status of a response to `catalogueUpdated`, so `malformed` is refused for this
         *     target.
         */
        post: operations["createFault"];
        /**
         * Delete all faults
         * @description Held calls then continue. The request succeeds even if no fault exists.
         */
        delete: operations["deleteFaults"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faults/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete one fault
         * @description Calls held by the fault then continue.
         */
        delete: operations["deleteFault"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/magic-values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the magic values
         * @description Lists the items, customers and amounts that make an order, a sign-in or a payment fail, in every workspace and without setup. No other listing contains them.
         */
        get: operations["listMagicValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/triggers/payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a customer's payment
         * @description The reference client sends a payment event to the platform, as after a digital payment. The credit that follows is due immediately: on a frozen clock, `settle` runs it.
         */
        post: operations["triggerPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/triggers/catalogue_change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change an item of the catalogue
         * @description Touches, changes or removes an item, which notifies registered webhooks. The deliveries are due immediately.
         */
        post: operations["triggerCatalogueChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/triggers/webhook_test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send one test message to a webhook
         * @description Sends a catalogue update to a registered address immediately, and returns the result. The update contains a valid signature, the signature of another body, or a valid signature with a timestamp an hour old. The platform does not retry it, and the delivery log omits it.
         */
        post: operations["triggerWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/triggers/status_update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a status to the client
         * @description The platform calls updateRedeemStatus for one redemption. The status may contradict an earlier one or be false (OP-21). Nothing changes at the platform, whatever the client returns.
         */
        post: operations["triggerStatusUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/triggers/timeout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Expire a pending redemption
         * @description The reference client handles one redemption as if the threshold had passed (OP-22): a Pending redemption is reversed or stays Pending, as the body or the workspace setting specifies. The scheduled check is cancelled.
         */
        post: operations["triggerTimeout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/triggers/vendor_outcome": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have the vendor respond now
         * @description Sets the vendor's behaviour for one pending redemption, overriding the rule of its item. The platform asks the vendor immediately; on a frozen clock, `settle` runs this call. A request for a redemption with a final status is refused.
         */
        post: operations["triggerVendorOutcome"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/triggers/cancellation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an order or one redemption
         * @description The platform cancels a Pending redemption, or all Pending redemptions of an order. It asks the vendor first; fulfilled redemptions stay Delivered. It notifies the client immediately, as for any rejection: with `Rejected` and the remark in version 1.0, or with `reversePoints` and the remark as the reason in version 2.0. On a frozen clock, `settle` runs this call. If nothing can be cancelled, the request is refused with the reason. Repeating the call returns the same response.
         */
        post: operations["triggerCancellation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the outbox
         * @description Returns the messages that the client would have sent by SMS and WhatsApp, newest first: one-time passwords, vouchers, and news about orders and points (OP-160). The list also contains messages from a client's own server through the message gateway (OP-164, OP-167). One-time passwords and voucher codes are readable only here. The outbox keeps the newest 10,000 messages of the last 30 days of sandbox time (OP-57). You can combine filters.
         */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/listener": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive the calls to your server
         * @description Opens a stream of server-sent events through which the workspace calls a server that it cannot reach, for
         *     example on a laptop. `rewards-sandbox listen` does this for you. `forward_to` becomes the workspace's
         *     `client_url`. While the stream is open, it carries all webhooks and all calls from the platform and the
         *     microsite to the client, with the same deadlines, limits, circuits, validation and log entries as over the
         *     network. The log entries contain `via: listener`. The sandbox opens no connection, so `forward_to` can be a
         *     private address (OP-60). Meanwhile, you can register webhooks at the origin of `forward_to`.
         *
         *     `data` of each event is a JSON object:
         *
         *     | `event` | `data` |
         *     | --- | --- |
         *     | `open` | the first event: `listener` (the id to reply to), `workspace`, `forward_to`, `client_token`, `webhooks` with their secrets, `reply_bytes`, and `heartbeat_seconds` |
         *     | `call` | a call to make: `id`, `operation`, `method`, `path` with query, `headers`, and `body`, text or null |
         *     | `cancel` | the sandbox no longer waits for the reply to the call `id` |
         *     | `entry` | the entry of the activity log for a call that has ended; its `span` is the span in the call's `traceparent` |
         *     | `heartbeat` | `id`: reply with this id alone |
         *     | `end` | the last event: `reason` is `replaced`, `client_url_changed` or `stopping` |
         *
         *     Reply to calls and heartbeats with `postListenerReply`. The sandbox disconnects a listener that has not replied
         *     to a heartbeat when the next heartbeat is due, after 15 s. Calls in flight when the stream ends get no answer,
         *     as if the network had failed. A workspace has one listener: a newer listener replaces it.
         */
        post: operations["openListener"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/listener/{listener}/replies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reply to a call of the listener
         * @description Send your server's reply to a call, the reason for a missing reply, or the reply to a heartbeat. Post a body of more
         *     than 32,768 bytes in parts, in order: all parts except the last contain `more: true`. Replies of more than
         *     `reply_bytes` bytes are refused, as over the network. Replies to a call that has ended, or from a listener that
         *     was disconnected or replaced, return 404.
         */
        post: operations["postListenerReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the activity log
         * @description Returns every incoming and outgoing call and every state change, oldest first. You can combine filters. The log
         *     keeps the newest 10,000 entries, up to 16 MiB, and masks secrets, one-time passwords, PANs and mobile numbers.
         *     Long texts are truncated and end with their full length, such as `… (5000 characters)`: addresses after 512
         *     characters, ids after 64, notices after 200. Lists of more than 100 redemptions or 20 notices are truncated and
         *     end with the total number.
         */
        get: operations["listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the calls in the activity log
         * @description Counts all entries in the log, from `from` to `to`; `from` is above 1 if older entries were dropped. Page loads
         *     and requests outside the APIs do not count as calls. `calls`, `minutes` and `operations` count the calls that
         *     the sandbox received from others. Times and durations are sandbox time.
         */
        get: operations["summarizeActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the activity log
         * @description Sends the entries of the activity log as server-sent events, each once and in order: `id` is the entry's `seq`, and
         *     `data` is the entry. The stream starts with the next entry. With `Last-Event-ID`, which a browser sends when it
         *     reconnects, or with `after`, the stream starts directly after the given entry, so that no entry is lost. The sandbox
         *     sends a comment every 15 s. The stream ends when the sandbox stops or is reset. The sandbox closes the stream if the
         *     reader reads nothing for 30 s, or reads so slowly that the log has already dropped the next entries. A workspace can
         *     have 50 concurrent streams (OP-59).
         */
        get: operations["streamActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the parties' operations
         * @description Lists every operation that platform and client serve, in the order of the contracts, with its path and the credentials that it accepts. Tools use the list to repeat a call or to track which operations were called.
         */
        get: operations["listOperations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contract violations
         * @description Returns the findings of every call in the activity log, from the same validator as the proxy and `npm run check`.
         *     Each item describes one violation of a contract, with the number of the call's entry. The item is an `error` if
         *     the call violates a statement of the interface, or an assumption that the other side agreed to (`answer`), and a
         *     `warning` if it violates another assumption of this sandbox; `basis` names the statement or assumption. The
         *     caller is at fault for a request, and the host for a response. The list follows the order of the log and has at
         *     most 1000 items; items of the oldest calls are dropped first.
         *
         *     Findings of rules that span several calls, such as contradictory final statuses, are listed with the call that
         *     breaks the rule. These rules look at the newest 1,000 calls.
         *
         *     The sandbox validates each message once: a request before serving it, and another server's response before using it.
         *     The call's entry contains the findings (`findings`). If a call was refused before its body was read, only the
         *     proxy validates the body; `unchecked` is the number of such calls.
         *
         *     To follow the findings, call again with `after` = `checked_to` and `wait`: the sandbox responds once a later
         *     entry exists. If `newest` is below `after`, the workspace was reset and numbering has restarted.
         */
        get: operations["listFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/open-points": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List open points and the calls that rely on them
         * @description Lists the open points of the interface, with the sandbox's assumption and the number of calls in the activity log
         *     that rely on it. A call relies on a point if it contains a field, parameter, credential or status that rests on
         *     the point, reaches a limit that rests on it, or is subject to a rule of the point. Response headers do not
         *     count, because a call does not show whether the caller reads them.
         *
         *     You can combine filters. The list contains all matching points, ordered by id.
         */
        get: operations["listOpenPoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/open-points/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the answers to open points
         * @description Returns the answers of this workspace, in the format of `answers.yaml`.
         */
        get: operations["getAnswers"];
        /**
         * Replace the answers to open points
         * @description Replaces all answers of this workspace. They apply immediately, even to earlier calls: a violation of an agreed or
         *     settled point is an error, and a violation of a point that differs is a notice. The values of settled points become
         *     settings, and remain after a reset until the answer or the setting is changed. A reset keeps the answers. A
         *     certification uses the answers that exist when it starts.
         *
         *     Returns 400 and changes nothing if an answer refers to an unknown point, lacks a required text or value, or
         *     contains a value for a point without a setting.
         */
        put: operations["replaceAnswers"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/checklist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the going-live checklist
         * @description Returns the items of the going-live checklist, each with the workspace's evidence: certifications, findings and
         *     calls in the activity log, balances of your server, open points, answers, and settings.
         */
        get: operations["getChecklist"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List placed orders
         * @description Lists the orders of all APIs as their callers see them, in order of placement. You can combine filters. With `wait`, the sandbox responds as soon as an order matches, such as a customer's next order (`uid` and `after`) or the first delivered order (`status`).
         */
        get: operations["listPlacedOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/{order_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Wait for an order's final status
         * @description Returns the order as its caller sees it. With `wait`, the sandbox responds once the order is no longer Pending. An order that was not placed is not found.
         */
        get: operations["getPlacedOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ledger/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a customer's ledger
         * @description Returns the reference client's ledger entries, oldest first, and the balance, which is their sum.
         */
        get: operations["getLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/redemptions/{redeemCode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Trace a redemption across all parties
         * @description Returns the redemption's state at platform and client, and its history, oldest first. The history contains every call with both bodies (masked), every state change, including postponed and parked deliveries, and every entry of the client's ledger, directly after the state change that caused it. Calls and changes of the same trace that name no redemption, such as balance requests, are included. Ledger entries remain after the activity log has dropped the rest.
         */
        get: operations["getRedemption"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reconciliation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare the ledgers of platform and client
         * @description Compares, for each redemption, the points that the platform counts as deducted with the points that the
         *     reference client has deducted. The list contains only the current mismatches; an empty list means that the
         *     ledgers agree. A mismatch whose `outstanding` is `due` has a retry scheduled and may disappear; a `parked`
         *     mismatch waits for a replay; all other mismatches remain until you resolve them.
         *
         *     With your own client server, the comparison uses the server's balances, and its responses to deductions,
         *     reversals and credits. The list contains each customer whose balance differs from the sum of these responses
         *     (`balance_differs`) or cannot be checked (`unknown`). Each request reads at most 100 balances, two at a time,
         *     and stops after the first balance request without a response. Continue with `after` until `next` is null.
         */
        get: operations["getReconciliation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the platform's outstanding deliveries
         * @description Lists credits, status updates and webhooks that are not acknowledged yet, in the order of the events that caused them. The platform retries a `due` delivery at `next_at` (sandbox time); a `parked` delivery has no retries left and waits for a replay.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay all parked deliveries
         * @description Makes every parked delivery due now, restarts its retry schedule, and returns the deliveries. On a frozen clock, the next `/settle` runs them. The ids do not change, so that each delivery takes effect only once.
         */
        post: operations["replayParkedDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay one delivery
         * @description Makes the delivery due now, even if it was due later, restarts its retry schedule, and returns the delivery. An acknowledged delivery returns 404.
         */
        post: operations["replayDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the delivery log of a webhook
         * @description Returns every attempt of every delivery to one registered address, oldest first: payload, result and next attempt. For deliveries without an attempt, see `/deliveries`; `/deliveries/{id}/replay` repeats a delivery with the same `message_id`. The log keeps the newest 1,000 attempts of all webhooks for 30 days, including attempts of removed webhooks.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the sandbox clock
         * @description Returns sandbox time and whether it is running or frozen.
         */
        get: operations["getClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move sandbox time forward
         * @description Runs all due work up to the new time, one job at a time and in order, each at its own due time. The response is sent after all jobs have run.
         */
        post: operations["advanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run due work
         * @description Runs all due work, including work that becomes due as a result, then returns. Sandbox time does not change.
         */
        post: operations["settle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workspaces
         * @description Returns the workspaces, oldest first, without credentials. The operator, with the demo workspace's admin token or from this machine, sees all workspaces; other callers see only their own.
         */
        get: operations["listWorkspaces"];
        put?: never;
        /**
         * Create a workspace
         * @description Creates a separate sandbox next to the demo workspace, with its own credentials, catalogue, customers, settings,
         *     clock, faults and client address. A call belongs to the workspace in its URL (see `urls`) or, if the URL names
         *     no workspace, to the workspace of its credential. The body is optional. Requires the admin token of any
         *     workspace, or a call from this machine. The demo workspace's token has no limit of its own. With any other
         *     workspace's token, you can have 10 workspaces at a time, including workspaces that these create.
         *
         *     The sandbox deletes a workspace that nobody has called for `expires_in` seconds of real time. The limit is 100
         *     workspaces.
         */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a workspace
         * @description Deletes the workspace, including its snapshots and credentials. Requires the workspace's own admin token or the operator's. The demo workspace cannot be deleted: reset it instead.
         */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        /**
         * Rename a workspace, or extend its life
         * @description Send only the fields that change. Available only to the operator, with the demo workspace's token: other callers receive 404. The demo workspace has neither a name nor an expiry.
         */
        patch: operations["updateListedWorkspace"];
        trace?: never;
    };
    "/workspaces/{id}/verdict": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the results of a CI job
         * @description Returns the data that `rewards-sandbox verdict` checks at the end of a CI job: the number of calls of each operation, the findings as in `/findings`, and the mismatches as in `/reconciliation`. Requires the workspace's own admin token or the operator's. Workspaces of other instances are not found.
         */
        get: operations["checkWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List snapshots
         * @description Returns the snapshots, oldest first. They survive a reset.
         */
        get: operations["listSnapshots"];
        put?: never;
        /**
         * Take a snapshot
         * @description Waits for running jobs, then saves all parties' data, the outbox, due work, clock, settings, faults and random state under a name. The body is optional.
         */
        post: operations["createSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/snapshots/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a snapshot
         * @description The workspace itself does not change.
         */
        delete: operations["deleteSnapshot"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/snapshots/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a snapshot
         * @description Restores the state at the time of the snapshot, including sandbox time; the same calls then return the same results. Credentials do not change. All later changes except snapshots are lost.
         */
        post: operations["restoreSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/snapshots/{id}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a workspace from a snapshot
         * @description The new workspace starts from the snapshot, with its own credentials and random values. Customers' sessions are not copied. The workspace counts towards the limits on created workspaces.
         */
        post: operations["forkSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/certifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List certifications
         * @description Returns at most 20 runs, newest first. They survive a restart and a reset, and are not part of snapshots.
         */
        get: operations["listCertifications"];
        put?: never;
        /**
         * Certify a client server
         * @description Calls a client server as the platform and the microsite do, and checks each requirement. The run continues in the
         *     background: poll it until its `state` is `ended`. It changes balances on the server and restores them. URLs
         *     follow the same rules as the setting `client_url` (OP-60, OP-78). A workspace has one run at a time, queued or
         *     running: a second run is refused. The sandbox executes two runs at a time. Other runs wait in a queue: their
         *     `state` is `queued`, and `position` is their place. To leave the queue, delete the run.
         */
        post: operations["startCertification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/certifications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a certification
         * @description Returns the progress and verdicts of a run and, once it has ended, its report.
         */
        get: operations["getCertification"];
        put?: never;
        post?: never;
        /**
         * Delete a certification
         * @description A running certification stops first: it checks no further requirement and restores the server's balances. The response can therefore take some seconds.
         */
        delete: operations["deleteCertification"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the partners and their progress
         * @description Returns a row for each workspace, oldest first, with its owner, calls, findings, certification, and unanswered
         *     open points. The operator, with the demo workspace's admin token or from this machine, sees all workspaces;
         *     other callers see only their own.
         *
         *     The sandbox counts each entry of an activity log once, when the list is read or after a minute. The figures
         *     survive a reset. Days are in real time (UTC). In a minute with more than 1,000 entries, rules that span several
         *     calls, and open points, cover only the newest 1,000. If another instance owns the workspace, the figures date
         *     from `counted_at`.
         */
        get: operations["listPartners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partners.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the partners as CSV
         * @description Returns the rows of `GET /partners` without `days`, as CSV (RFC 4180). Text that a spreadsheet would read as a formula is prefixed with `'`.
         */
        get: operations["exportPartners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/certificates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the submitted certificates
         * @description Returns at most 20 certificates, newest first. They survive a restart and a reset, and are not part of snapshots.
         */
        get: operations["listCertificates"];
        put?: never;
        /**
         * Submit a certificate
         * @description Adds a certificate from `certify` or from another sandbox to this workspace, after the checks of `certificate
         *     verify`. Returns 400 with the reason, and changes nothing, if the certificate was modified, its claims
         *     contradict each other, or its edition is unknown to this version or has different content here. Adding the same
         *     certificate again changes nothing. A workspace keeps the newest 20 certificates.
         */
        post: operations["submitCertificate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trusted-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the trusted keys
         * @description Returns the public keys whose certificates count as signed by a known person. Available only to the operator, with the demo workspace's token: other callers receive 404.
         */
        get: operations["getTrustedKeys"];
        /**
         * Replace the trusted keys
         * @description Replaces all trusted keys, including for certificates already submitted. Returns 400 and changes nothing if a key is not an Ed25519 public key in PEM format, or if a name or key occurs twice. A reset keeps the list.
         */
        put: operations["replaceTrustedKeys"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message of the Model Context Protocol
         * @description Implements Streamable HTTP of the Model Context Protocol: the reply to each JSON-RPC message is one JSON object,
         *     without a session. A client of revision 2026-07-28 begins with `server/discover` and sends the revision in the
         *     `_meta` of each request; clients of earlier revisions begin with `initialize`. GET and DELETE return 405.
         *
         *     The tools are the operations of this API, plus `readPage` for the documentation. They act on the token's
         *     workspace. The activity log contains the changes that tools make, but not the messages.
         */
        post: operations["sendMcpMessage"];
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
        Health: {
            /** @constant */
            status: "ok";
            version: string;
            /**
             * @description The error of the workspace's last checkpoint; absent if it succeeded. Nothing is lost: the log keeps every
             *     change and grows until a checkpoint succeeds. Free up disk space.
             */
            checkpoint_failure?: string;
        };
        Settings: {
            points_per_100_inr: components["schemas"]["EarnRate"];
            point_value_inr: components["schemas"]["PointValue"];
            processing_fee_egv: components["schemas"]["SmallCount"];
            processing_fee_physical: components["schemas"]["SmallCount"];
            tds_percent: components["schemas"]["Percent"];
            pending_timeout: components["schemas"]["Seconds"];
            on_timeout: components["schemas"]["OnTimeout"];
            rate_limit: components["schemas"]["Quota"];
            allowlist: components["schemas"]["Allowlist"];
            frame_ancestors: components["schemas"]["FrameAncestors"];
            company_token_lifetime: components["schemas"]["Lifetime"];
            session_lifetime: components["schemas"]["Lifetime"];
            limit_above_maximum: components["schemas"]["LimitAboveMaximum"];
            cursor_lifetime: components["schemas"]["Lifetime"];
            otp_lifetime: components["schemas"]["Lifetime"];
            otp_tries: components["schemas"]["OtpTries"];
            retry_delays: components["schemas"]["RetryDelays"];
            wallet_order: components["schemas"]["WalletOrder"];
            earned_rounding: components["schemas"]["Rounding"];
            price_rounding: components["schemas"]["Rounding"];
            voucher_validity: components["schemas"]["VoucherValidity"];
            /**
             * Format: uri
             * @description Base URL of the client's API.
             */
            client_url: string;
            /** @description The service token that the platform sends (OP-17). */
            client_token: string;
            /** @description The Basic credentials that the microsite sends, if set; `credentials.basic` contains the credentials in effect. */
            client_basic?: string;
        };
        /** @description Points earned by a payment of 100 INR. */
        EarnRate: number;
        SmallCount: number;
        /** @description Value of one point in INR. */
        PointValue: string;
        Percent: number;
        Seconds: number;
        /**
         * @description The client's action on a redemption that has been pending too long.
         * @enum {string}
         */
        OnTimeout: "wait" | "reverse";
        /** @description Accepted requests per company in a sliding hour. */
        Quota: number;
        /**
         * @description Address ranges (CIDR) that may call the platform. An empty list allows all addresses.
         * @example [
         *       "127.0.0.0/8",
         *       "::1/128"
         *     ]
         */
        Allowlist: string[];
        /**
         * @description Origins whose pages may frame portal and microsite. An empty list allows only the sandbox's own pages.
         * @example [
         *       "https://client.example"
         *     ]
         */
        FrameAncestors: string[];
        SettingsChange: {
            points_per_100_inr?: components["schemas"]["EarnRate"];
            point_value_inr?: components["schemas"]["PointValue"];
            processing_fee_egv?: components["schemas"]["SmallCount"];
            processing_fee_physical?: components["schemas"]["SmallCount"];
            tds_percent?: components["schemas"]["Percent"];
            pending_timeout?: components["schemas"]["Seconds"];
            on_timeout?: components["schemas"]["OnTimeout"];
            rate_limit?: components["schemas"]["Quota"];
            allowlist?: components["schemas"]["Allowlist"];
            frame_ancestors?: components["schemas"]["FrameAncestors"];
            company_token_lifetime?: components["schemas"]["Lifetime"];
            session_lifetime?: components["schemas"]["Lifetime"];
            limit_above_maximum?: components["schemas"]["LimitAboveMaximum"];
            cursor_lifetime?: components["schemas"]["Lifetime"];
            otp_lifetime?: components["schemas"]["Lifetime"];
            otp_tries?: components["schemas"]["OtpTries"];
            retry_delays?: components["schemas"]["RetryDelays"];
            wallet_order?: components["schemas"]["WalletOrder"];
            earned_rounding?: components["schemas"]["Rounding"];
            price_rounding?: components["schemas"]["Rounding"];
            voucher_validity?: components["schemas"]["VoucherValidity"];
            /**
             * Format: uri
             * @description An https address, or http on loopback or in a private range that the operator allows; null for the reference client, with its token unless `client_token` is given.
             */
            client_url?: string | null;
            /** @description Visible ASCII characters; null for the token of the reference client. */
            client_token?: string | null;
            /** @description Basic credentials that the microsite sends, as `user:password` in visible ASCII characters; null for the workspace's credentials. */
            client_basic?: string | null;
        };
        WorkspaceChange: {
            settings: components["schemas"]["SettingsChange"];
        };
        Workspace: {
            /** @description `demo`, or the id from createWorkspace. */
            id: string;
            /** @description Token of the control API for this workspace, to send as `Authorization: Bearer`. */
            admin_token: string;
            /** @description Base URLs. The URLs of platform and client lead to this workspace, regardless of a call's token. Except for the demo workspace, their paths begin with `/w/` and the key of the workspace (OP-63). */
            urls: {
                /**
                 * Format: uri
                 * @description The rewards API and the platform's half of version 2.0.
                 */
                rewards: string;
                /**
                 * Format: uri
                 * @description The reference client.
                 */
                client: string;
                /**
                 * Format: uri
                 * @description The portal: append `/signin?token=...&uid=...`.
                 */
                portal: string;
                /** Format: uri */
                microsite: string;
                /**
                 * Format: uri
                 * @description The same for every workspace; sign in with the workspace's admin token.
                 */
                dashboard: string;
                /** Format: uri */
                general: string;
                /**
                 * Format: uri
                 * @description The same for every workspace; the admin token selects the workspace.
                 */
                sandbox: string;
                /** Format: uri */
                gateway: string;
            };
            credentials: {
                /** @description The secret for companyAuth. */
                company_secret: string;
                /** @description The credentials for the customer sign-in operations. */
                basic: {
                    username: string;
                    password: string;
                };
                /** @description The token that the reference client accepts from the platform. */
                service_token: string;
                /** @description The credentials for the general API. The user name is the `uid` of any customer. */
                general: {
                    password: string;
                };
                /** @description The token with which your own server sends messages to the message gateway. */
                gateway_token: string;
            };
            project_code: string;
            settings: components["schemas"]["Settings"];
        };
        WorkspaceInput: {
            /** @description Determines the catalogue, customers and codes (one-time passwords, vouchers, webhook secrets), so that you can repeat a run. Anyone with the seed can compute the codes. Optional. By default, the workspace has the demo workspace's catalogue and customers, and unpredictable codes. Credentials never depend on the seed. */
            seed?: string;
            /**
             * @description Mobile numbers and PANs of generated customers. `impossible` data belongs to nobody, and strict validators reject it. `plausible` data looks real and may belong to real people: send nothing to them.
             * @default impossible
             * @enum {string}
             */
            demo_data?: "impossible" | "plausible";
            /**
             * @description Whether sandbox time runs or is frozen.
             * @default running
             * @enum {string}
             */
            clock?: "running" | "frozen";
            settings?: components["schemas"]["SettingsChange"];
            /**
             * @description The workspace is deleted this many seconds of real time after its last use.
             * @default 604800
             */
            expires_in?: number;
            /** @description A name for lists and search. */
            name?: components["schemas"]["WorkspaceName"];
        };
        /** @example nightly build */
        WorkspaceName: string;
        ListedWorkspaceChange: {
            /** @description The new name; null removes it. */
            name?: components["schemas"]["WorkspaceName"] | null;
            /** @description The workspace is deleted this many seconds of real time after its last use; null removes the expiry. */
            expires_in?: number | null;
        };
        /** @description All times are real time, whatever the workspace's own clock shows. */
        WorkspaceSummary: {
            id: string;
            /** @description The name that its creator or the operator set. */
            name: string | null;
            /** @description The workspace whose token created it: `demo` for the operator. In a chain of workspaces created this way, the first workspace. Null for the demo workspace and for data of older versions. */
            created_by: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last call. After a restart, the time may be too early, by at most an hour or a tenth of the workspace's life.
             */
            last_used_at: string;
            /**
             * Format: date-time
             * @description Expiry of the workspace if it is not used before then; null without an expiry, as for the demo workspace.
             */
            expires_at: string | null;
        };
        WorkspaceList: {
            items: components["schemas"]["WorkspaceSummary"][];
            /** @description The next page's `after` value; null on the last page. */
            next: string | null;
        };
        ConnectionChecks: {
            items: components["schemas"]["ConnectionCheck"][];
        };
        ConnectionCheck: {
            name: string;
            /**
             * @description `doubtful`: the interface leaves the point open, and production may differ.
             * @enum {string}
             */
            state: "ok" | "doubtful" | "wrong";
            found: string;
            /** @description The fix; null if the check is `ok`. */
            change: string | null;
        };
        WorkspaceVerdict: {
            id: string;
            /** @description Each operation of the interface that occurs in the activity log. */
            calls: components["schemas"]["OperationCalls"][];
            findings: components["schemas"]["FindingList"];
            reconciliation: components["schemas"]["Reconciliation"];
        };
        OperationCalls: {
            /** @description The operationId. */
            operation: string;
            calls: number;
            /** @description Calls that were answered with 2xx. */
            succeeded: number;
        };
        SnapshotInput: {
            /** @description Optional. Defaults to the snapshot's id. */
            name?: string;
        };
        Snapshot: {
            id: string;
            name: string;
            /**
             * Format: date-time
             * @description Sandbox time of the snapshot.
             */
            at: string;
        };
        SnapshotList: {
            items: components["schemas"]["Snapshot"][];
        };
        Customer: {
            uid: components["schemas"]["Uid"];
            profile: components["schemas"]["Profile"];
            points: components["schemas"]["Points"];
        };
        CustomerList: {
            /** @description The next page's `after` value; null on the last page. */
            next: string | null;
            items: components["schemas"]["Customer"][];
        };
        /** @description Any field of the profile, except `uid` and the project. */
        ProfileInput: {
            name?: string;
            email?: string;
            mobileNo?: string;
            dob?: string;
            address1?: string;
            address2?: string;
            city?: string;
            pincode?: number;
            state?: number;
            cus_type?: string;
            partnerType?: string;
            pan?: string;
            panVerifiedStatus?: string;
            mdate?: string;
        };
        BalanceInput: {
            balance: components["schemas"]["WholePoints"];
        };
        CertificationSummary: {
            id: string;
            /** @enum {string} */
            state: "queued" | "running" | "ended";
            /** @description Place in the queue, 1 for the next run; null once the run has started. */
            position: number | null;
            target: {
                client_url: string;
                /**
                 * @description Null until the run has detected the server's versions.
                 * @enum {string|null}
                 */
                api: "v1" | "v2" | "both" | null;
            };
            seed: string;
            /**
             * Format: date-time
             * @description Start of the run, by the machine's clock; for a queued run, the time of the request.
             */
            started_at: string;
            /** Format: date-time */
            ended_at: string | null;
            /** @description Number of requirements checked. */
            done: number;
            /** @description Total number of requirements to check; null until the run starts. */
            of: number | null;
            /** @description Null during the run. */
            outcome: components["schemas"]["CertificationOutcome"] | null;
            /** @description Null during the run, or if it ended without a report. */
            counts: components["schemas"]["CertificationCounts"] | null;
        };
        CertificationList: {
            items: components["schemas"]["CertificationSummary"][];
        };
        Certification: {
            id: string;
            /** @enum {string} */
            state: "queued" | "running" | "ended";
            /** @description Place in the queue, 1 for the next run; null once the run has started. */
            position: number | null;
            target: {
                client_url: string;
                /**
                 * @description Null until the run has detected the server's versions.
                 * @enum {string|null}
                 */
                api: "v1" | "v2" | "both" | null;
            };
            seed: string;
            /**
             * Format: date-time
             * @description Start of the run, by the machine's clock; for a queued run, the time of the request.
             */
            started_at: string;
            /** Format: date-time */
            ended_at: string | null;
            /** @description Number of requirements checked. */
            done: number;
            /** @description Total number of requirements to check; null until the run starts. */
            of: number | null;
            /** @description Null during the run. */
            outcome: components["schemas"]["CertificationOutcome"] | null;
            /** @description Null during the run, or if it ended without a report. */
            counts: components["schemas"]["CertificationCounts"] | null;
            /** @description The verdicts so far, in the order of the run; once it has ended, all requirements in the order of the edition. */
            verdicts: components["schemas"]["RequirementVerdict"][];
            /** @description Null during the run, or if it ended without a report. */
            report: components["schemas"]["CertificationReport"] | null;
            /** @description The reason for a missing report. */
            problem: string | null;
            /** @description The certificate of a finished run, signed with this sandbox's key: the content of a file for `certificate verify`. */
            certificate?: string;
            /** @description Number of exchanges omitted to keep the report within 512 KiB. */
            exchanges_left_out: number;
        };
        /** @description The server to certify, the requirements to check, and the credentials to use. */
        CertificationInput: {
            /** @description Base URL of the client's API, such as `http://localhost:8080`. Optional in a sandbox. Defaults to the `client_url` of its settings, with their `client_token` and the workspace's Basic credentials unless you set others. */
            client_url?: string;
            /** @description The token that the platform sends if no customer is signed in. */
            service_token?: string;
            /** @description Credentials of the microsite for sign-in, as `user:password`. */
            basic?: string;
            /**
             * @description The version of the client's API to check. Defaults to the versions that the server implements, which the run detects. Sign-in belongs to both versions.
             * @enum {string}
             */
            api?: "v1" | "v2" | "both";
            /** @description The server's customers for whom the run acts, by uid. It mainly uses the first customer; some requirements need a second customer's token or balance. */
            customers: string[];
            /**
             * Format: int64
             * @description Minimum balance of the first customer. The run restores every balance it changes.
             * @default 5000
             */
            balance?: number;
            /** @description The `scheme` and `projectCode` of redemptions. Defaults to the code in the customer's profile. */
            project_code?: string;
            otp?: components["schemas"]["OtpSource"];
            /**
             * @description Whether a sandbox that runs the certification also checks the server's calls to the platform in its own activity log. Outside a sandbox, `sandbox` selects the log.
             * @default false
             */
            log?: boolean;
            sandbox?: components["schemas"]["CertificationSandbox"];
            webhook?: components["schemas"]["CertificationWebhook"];
            /** @description An expired JWT of the first customer. Without it, the run signs in and waits for the token to expire, if the server's tokens are valid for 60 s or less. */
            expired_token?: string;
            /**
             * @description The edition of the requirements: `current`, or a released edition such as `1.0`.
             * @default current
             */
            requirements?: string;
            /** @description Ids of requirements or names of groups to select. Optional. Defaults to all. */
            only?: string[];
            /** @description Ids of requirements or names of groups to exclude. */
            skip?: string[];
            /**
             * @description Determines the order of the requirements and all random values; the same seed produces the same verdicts.
             * @default 1
             */
            seed?: string;
            /**
             * @description Milliseconds to wait for a response; the platform waits 15 s.
             * @default 15000
             */
            timeout_ms?: number;
            /**
             * @description Whether to include requirements that wait for more than 3 s of real time.
             * @default false
             */
            slow?: boolean;
        };
        /** @description The source of the one-time password that the server sends. Set exactly one field. */
        OtpSource: {
            /** @description A fixed code, as in many test environments. */
            code?: string;
            /** @description A GET request to this URL returns the code as text, or as JSON with `otp` or `code`. The run fills in `{customer_id}` and `{reference_id}`. */
            url?: string;
            /**
             * @description Reads the code from the sandbox's message gateway, to which the server sends its messages. Outside a sandbox, this requires `sandbox`.
             * @constant
             */
            gateway?: true;
        };
        /** @description A running sandbox that the server has called. The run reads codes from its message gateway, and the server's calls to the platform from its activity log. */
        CertificationSandbox: {
            /** @description The URL, such as `http://localhost:4010`. */
            url: string;
            admin_token?: string;
        };
        /** @description The address at which the server receives catalogue updates. The run sends it an update with a wrong signature. */
        CertificationWebhook: {
            url: string;
            secret: string;
        };
        /** @description The verdict of one requirement. */
        RequirementVerdict: {
            id: string;
            title: string;
            group: components["schemas"]["RequirementGroup"];
            /** @description The operationId; null if the requirement concerns all operations. */
            operation: string | null;
            aspect: components["schemas"]["RequirementAspect"];
            /** @description `stated` with statements of docs/interface.md, or a row of docs/register.yaml. */
            basis: string;
            /** @description The other side's answer to the open point, such as `agreed on 2026-11-28 by Jane Doe`. Absent without an answer, and for a statement. */
            answer?: string;
            /** @enum {string} */
            level: "must" | "should";
            verdict: components["schemas"]["VerdictWord"];
            /** @description Why the requirement was not checked, in one sentence; null if it passed or failed. */
            reason: string | null;
            /** @description The option of `certify` that selects the requirement, such as `--sandbox URL`; null if no option is missing. */
            option: string | null;
            /** @description The failed requirement that this requirement depends on; null if no failure explains why it could not be checked. */
            blocked_by: string | null;
        };
        /**
         * @description `not_applicable`: the requirement does not apply to the server, or cannot be observed from outside. `not_selected`: it was excluded, or lacks a required input. `suite_error`: internal error in the suite, not a fault of the server.
         * @enum {string}
         */
        VerdictWord: "pass" | "fail" | "blocked" | "not_applicable" | "not_selected" | "suite_error";
        /** @enum {string} */
        RequirementGroup: "tokens" | "basic" | "shapes" | "credit" | "deduction" | "status" | "otp" | "v2" | "robustness" | "journeys" | "calling";
        /**
         * @description The column of the report's matrix.
         * @enum {string}
         */
        RequirementAspect: "shape" | "token" | "exactly_once" | "reversal" | "concurrency" | "rules" | "robustness";
        /** @description A call and its result, with secrets replaced by variable names. */
        CertificationExchange: {
            /** @description The call as a shell command. Set `$SERVICE_TOKEN` and similar variables first. */
            curl: string;
            method: string;
            url: string;
            request_headers: components["schemas"]["HeaderPairs"];
            /** @description Truncated to 4 KiB. */
            request_body: string | null;
            /** @description Null if no response arrived. */
            status: number | null;
            reply_headers: components["schemas"]["HeaderPairs"];
            /** @description Truncated to 4 KiB. */
            reply_body: string | null;
            /** @description The reason for a missing or incomplete response. */
            problem: string | null;
        };
        HeaderPairs: string[][];
        /** @description The cause of a failed requirement, with everything needed to reproduce the failure. Requirements that fail for the same cause share one failure. */
        CertificationFailure: {
            /** @description The requirement that best shows the cause. */
            requirement: string;
            /** @description Other requirements that failed for the same cause. */
            breaks: string[];
            /** @description The fault, in one sentence. */
            message: string;
            /** @description JSON pointer as in findings, such as `/body/status`; `/balance` for balances. */
            pointer: string;
            expected: string;
            actual: string;
            /** @description The basis of the requirement. */
            statement: string;
            /** @description Path of the documentation page. */
            docs: string;
            contract: {
                file: string;
                line: number;
            };
            /** @description The fix, in one sentence. */
            change: string;
            /** @description Command-line arguments to check only this requirement. */
            again: string;
            /** @description The calls that prove the failure, ending with the decisive one. */
            exchanges: components["schemas"]["CertificationExchange"][];
        };
        CertificationCounts: {
            pass: number;
            fail: number;
            blocked: number;
            not_applicable: number;
            not_selected: number;
            suite_error: number;
        };
        /** @description A run of the suite. */
        CertificationReport: {
            /** @description Version of this project. */
            suite: string;
            /** @description Edition of the requirements. */
            requirements: string;
            /** @description SHA-256 of the edition's file, in hex. */
            requirements_digest: string;
            /** @description SHA-256 of the contracts used in the run, in hex. */
            contracts_digest: string;
            /** @description SHA-256 of the answers to open points that the run used, in hex. Absent without answers. */
            answers_digest?: string;
            target: {
                client_url: string;
                /** @enum {string} */
                api: "v1" | "v2" | "both";
            };
            seed: string;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            finished_at: string;
            /** @description Number of calls sent to the server. */
            calls: number;
            outcome: components["schemas"]["CertificationOutcome"];
            /** @description Why the run ended early, in one sentence. */
            problem: string | null;
            coverage: components["schemas"]["CertificationCoverage"];
            counts: components["schemas"]["CertificationCounts"];
            /** @description One verdict for each requirement, in the order of the edition. */
            verdicts: components["schemas"]["RequirementVerdict"][];
            /** @description One failure for each cause: mandatory requirements first, and among them the cause that affects the most requirements. */
            failures: components["schemas"]["CertificationFailure"][];
            /**
             * @description Whether the server's balances at the end equal the balances at the start.
             * @enum {string}
             */
            balances: "restored" | "not_restored" | "unknown";
            /** @description Events that no verdict reflects, such as the repeat of a check after a lost response. */
            notes: string[];
        };
        /**
         * @description `passed`: all applicable `must` requirements passed, and at least one did. `partial`: no requirement failed, but some were not checked. `failed`: some failed, or were not checked because the server did not respond. `environment`: the run could not start.
         * @enum {string}
         */
        CertificationOutcome: "passed" | "partial" | "failed" | "interrupted" | "environment" | "suite_error";
        PartnerList: {
            items: components["schemas"]["Partner"][];
            /** @description The next page's `after` value; null on the last page. */
            next: string | null;
        };
        Partner: {
            workspace: components["schemas"]["WorkspaceSummary"];
            /** @description Calls received on these days, counted as in the activity summary. */
            calls: number;
            /** @description Calls on these days, received or made, that violate the contracts. */
            findings: number;
            /** @description The newest certification that was witnessed here or signed with a trusted key, or else the newest self-signed certificate; null if neither exists. */
            certification: components["schemas"]["CertificateSummary"] | null;
            /** @description Unanswered open points that the workspace's calls rely on. */
            answers_pending: number;
            /** @description The days with calls, oldest first. */
            days: components["schemas"]["PartnerDay"][];
            /**
             * Format: date-time
             * @description The time of the last count; null before the first.
             */
            counted_at: string | null;
        };
        /** @description A day of real time (UTC), with the figures of its last count. */
        PartnerDay: {
            /** Format: date */
            day: string;
            calls: number;
            findings: number;
            answers_pending: number;
            /** @description The outcome of the newest certification that was run or submitted here. */
            outcome: components["schemas"]["CertificateOutcome"] | null;
        };
        CertificateInput: {
            /** @description The content of the file, a compact JWS. */
            certificate: string;
        };
        CertificateList: {
            items: components["schemas"]["CertificateSummary"][];
        };
        CertificateSummary: {
            /** @description A certification of this workspace (`CRT-...`), or a submitted certificate (`CER-...`). */
            id: string;
            /** @enum {string} */
            source: "run" | "submitted";
            /** @description The server that was certified. */
            client_url: string;
            /** @description The edition of the requirements. */
            requirements: string;
            /**
             * Format: date-time
             * @description Time at which the run ended.
             */
            issued_at: string;
            /**
             * Format: date-time
             * @description 365 days after `issued_at`.
             */
            expires_at: string;
            expired: boolean;
            outcome: components["schemas"]["CertificateOutcome"];
            /** @description Number of mandatory requirements that failed. */
            open_failures: number;
            /**
             * @description `witnessed_here`: this sandbox ran the certification or signed the certificate. `trusted_key`: signed with the key `key_name` in the operator's list. `self_signed`: signed with any other key, so anyone could have created it.
             * @enum {string}
             */
            signer: "witnessed_here" | "trusted_key" | "self_signed";
            /** @description The name of the trusted key. */
            key_name: string | null;
            /** @description Thumbprint of the signer's key (RFC 7638); null for a certification run. */
            key: string | null;
        };
        /** @enum {string} */
        CertificateOutcome: "passed" | "partial" | "failed";
        /** @description The public keys of known signers: the file for `certificate verify --trusted`. */
        TrustedKeyList: {
            items: components["schemas"]["TrustedKey"][];
        };
        TrustedKey: {
            name: components["schemas"]["KeyName"];
            /** @description An Ed25519 public key in PEM format. */
            public_key: string;
        };
        /** @description The name of the key's owner, without control characters. */
        KeyName: string;
        CustomerInput: {
            uid: components["schemas"]["Uid"];
            profile?: components["schemas"]["ProfileInput"];
            points?: components["schemas"]["BalanceInput"];
        };
        CustomerChange: {
            profile?: components["schemas"]["ProfileInput"];
            points?: components["schemas"]["BalanceInput"];
        };
        StockFields: {
            /** @description The number in `qty` or `stock_qty`. */
            stock: number;
            /**
             * @description The item's vendor.
             * @enum {string}
             */
            vendor: "egift" | "merchandise" | "services";
        };
        StockItem: (components["schemas"]["EgvFields"] & components["schemas"]["StockFields"]) | (components["schemas"]["PhysicalFields"] & components["schemas"]["StockFields"]);
        StockItemList: {
            /** @description The next page's `after` value; null on the last page. */
            next: number | null;
            items: components["schemas"]["StockItem"][];
        };
        ItemInput: {
            sku_code: string;
            /** @enum {string} */
            product_type: "EGV" | "PHYSICAL";
            status?: components["schemas"]["ItemStatus"];
            skus?: string;
            denomination_value?: components["schemas"]["PriceText"];
            price?: components["schemas"]["PriceText"];
            qty_trigger_limit?: components["schemas"]["StockText"];
            qty?: components["schemas"]["StockText"];
            stock_qty?: components["schemas"]["StockText"];
            /** @description The same value as `qty` or `stock_qty`; one field is enough. */
            stock?: number;
            /** @enum {string} */
            vendor?: "egift" | "merchandise" | "services";
        };
        ItemChange: {
            status?: components["schemas"]["ItemStatus"];
            skus?: string;
            denomination_value?: components["schemas"]["PriceText"];
            price?: components["schemas"]["PriceText"];
            qty_trigger_limit?: components["schemas"]["StockText"];
            qty?: components["schemas"]["StockText"];
            stock_qty?: components["schemas"]["StockText"];
            /** @description The same value as `qty` or `stock_qty`; one field is enough. */
            stock?: number;
            /** @enum {string} */
            vendor?: "egift" | "merchandise" | "services";
        };
        /** @description An amount in INR as text, above 0, with at most two decimals. */
        PriceText: string;
        /** @description A whole number as text. */
        StockText: string;
        /**
         * @description `deliver` delivers; `reject` and `out_of_stock` reject the redemption; `timeout` makes every attempt of the platform time out, until the platform rejects the redemption; `fail_then_deliver` fails `times` attempts and then delivers; `never` leaves the redemption pending.
         * @enum {string}
         */
        OutcomeName: "deliver" | "reject" | "out_of_stock" | "timeout" | "fail_then_deliver" | "never";
        VendorOutcomeInput: {
            outcome: components["schemas"]["OutcomeName"];
            /** @description The remark for a rejection. */
            reason?: string;
            /** @description With `fail_then_deliver`, the number of failed attempts (1 to 4, default 1). With any other outcome, the number of redemptions until the default applies again (default: unlimited). */
            times?: number;
            /**
             * @description Sandbox seconds until the vendor responds.
             * @default 2
             */
            delay_seconds?: number;
        };
        VendorOutcome: {
            sku_code: string;
            outcome: components["schemas"]["OutcomeName"];
            reason: string;
            /** @description Number of failures before delivery, or of remaining redemptions; null if unlimited. */
            times: number | null;
            delay_seconds: number;
        };
        VendorOutcomeList: {
            /** @description The next page's `after` value; null on the last page. */
            next: string | null;
            items: components["schemas"]["VendorOutcome"][];
        };
        /**
         * @description The effect on a call.
         * @enum {string}
         */
        FaultName: "latency" | "status" | "reset" | "lost_reply" | "malformed" | "drip" | "duplicate" | "out_of_order";
        /** @description The operationId of an operation that the platform or the client hosts, or `catalogueUpdated`. */
        FaultTarget: string;
        FaultTimes: number;
        FaultShare: number;
        FaultMilliseconds: number;
        FaultStatus: number;
        FaultInput: {
            target: components["schemas"]["FaultTarget"];
            fault: components["schemas"]["FaultName"];
            /** @description Number of affected calls. Cannot be combined with `share`. */
            times?: components["schemas"]["FaultTimes"];
            /** @description Fraction of affected calls, drawn from the seed. Cannot be combined with `times`. */
            share?: components["schemas"]["FaultShare"];
            /** @description Only with `latency` and `drip`. */
            ms?: components["schemas"]["FaultMilliseconds"];
            /** @description Only with `status`. */
            status?: components["schemas"]["FaultStatus"];
        };
        Fault: {
            /** @description The value of `X-Fault`. */
            id: string;
            target: components["schemas"]["FaultTarget"];
            fault: components["schemas"]["FaultName"];
            times: number | null;
            share: number | null;
            ms: number | null;
            status: number | null;
            /** @description Number of calls that the fault will still affect; null if unlimited. */
            left: number | null;
        };
        FaultList: {
            /** @description The next page's `after` value; null on the last page. */
            next: string | null;
            items: components["schemas"]["Fault"][];
        };
        MagicValue: {
            /** @enum {string} */
            kind: "item" | "customer" | "amount";
            /** @description The value to send: a SKU, a uid, or INR as text. */
            value: string;
            /** @description The name of the value in errors and in the activity log. */
            name: string;
            /** @description The effect of the value. */
            does: string;
            /** @description Instructions for using the value. */
            use: string;
        };
        MagicValueList: {
            items: components["schemas"]["MagicValue"][];
        };
        /** @description The redemption's code. */
        RedeemCode: string;
        /** @description The other party's response. `no_answer` includes a response that violates the contract. */
        Answered: {
            /** @enum {string} */
            outcome: "accepted" | "refused" | "no_answer";
            /** @description The reason for a refusal; empty if the call was accepted. */
            message: string;
        };
        PaymentTrigger: {
            /** @description Optional. Defaults to the first demo customer, CUST0001. */
            uid?: components["schemas"]["Uid"];
            /** @description The amount in INR. Optional. Defaults to 1000.00. */
            paymentAmount?: components["schemas"]["AmountText"];
            /** @description Optional. Defaults to a new id. */
            transactionId?: string;
            /** Format: date-time */
            occurred_at?: string;
        };
        PaymentCaused: {
            transactionId: string;
            uid: string;
            /**
             * Format: int64
             * @description Points that will be credited; null if the platform refused the event.
             */
            points: number | null;
            answer: components["schemas"]["Answered"];
        };
        CatalogueChangeTrigger: {
            /** @description The item. Optional. Defaults to the first catalogue item. */
            sku_code?: string;
            /**
             * @default updated
             * @enum {string}
             */
            change?: "updated" | "removed";
            /** @description Cannot be combined with `removed`. */
            item?: components["schemas"]["ItemChange"];
        };
        CatalogueChangeCaused: {
            sku_code: string;
            /** @description The webhooks that are notified. */
            webhook_ids: string[];
        };
        WebhookTestTrigger: {
            /** @description The webhook's id. Optional. Defaults to the last registered webhook. */
            webhook_id?: string;
            message?: components["schemas"]["WebhookTestMessage"];
        };
        /**
         * @description `old` has a timestamp an hour old; receivers allow five minutes (OP-135).
         * @default right
         * @enum {string}
         */
        WebhookTestMessage: "right" | "wrong_signature" | "old";
        WebhookTestCaused: {
            webhook_id: string;
            url: string;
            message: components["schemas"]["WebhookTestMessage"];
            /** @description Null if there was no response. */
            status: number | null;
            /** @description The reason for a failure; null for a 2xx status. */
            reason: string | null;
        };
        StatusUpdateTrigger: {
            redeemCode: components["schemas"]["RedeemCode"];
            status: components["schemas"]["OrderStatus"];
            orderStatus?: components["schemas"]["OrderStatus"];
            remark?: string;
        };
        StatusUpdateCaused: {
            redeemCode: string;
            status: components["schemas"]["OrderStatus"];
            answer: components["schemas"]["Answered"];
        };
        TimeoutTrigger: {
            redeemCode: components["schemas"]["RedeemCode"];
            on_timeout?: components["schemas"]["OnTimeout"];
        };
        TimeoutCaused: {
            redeemCode: string;
            /**
             * @description The current state of the redemption at the client. `Refused`: rejected before its deduction arrived.
             * @enum {string}
             */
            state: "Pending" | "Delivered" | "Rejected" | "Refused";
        };
        VendorOutcomeTrigger: {
            redeemCode: components["schemas"]["RedeemCode"];
            outcome: components["schemas"]["OutcomeName"];
            /** @description The remark for a rejection. */
            reason?: string;
            /** @description With `fail_then_deliver`, the number of failed attempts. */
            times?: number;
        };
        VendorOutcomeCaused: {
            redeemCode: string;
            sku_code: string;
            outcome: components["schemas"]["OutcomeName"];
        };
        Message: {
            /** @description Sequence number among all messages. */
            seq: number;
            /**
             * @description The sender: the reference client, or a client's own server through the gateway.
             * @enum {string}
             */
            source: "reference_client" | "gateway";
            /** @description The customer; null if the gateway call named no customer and no customer has this number. */
            uid: string | null;
            /**
             * @description `otp` contains a one-time code, and `voucher` the code of an e-gift voucher. `delivered` reports a delivered product, `rejected` a failed order and its reason, `reversed` returned points, and `credited` the points for a payment. Messages through the gateway are `otp` or `other` (OP-166).
             * @enum {string}
             */
            kind: "otp" | "voucher" | "delivered" | "rejected" | "reversed" | "credited" | "other";
            /**
             * @description The channel that the message would have used.
             * @enum {string}
             */
            channel: "SMS" | "WhatsApp";
            /** @description The recipient's number, with all but the last four characters masked. */
            mobile: string;
            /** @description The reference for verifying the code. Present for an `otp` of the reference client, and if the gateway call contained a reference. */
            reference_id?: string;
            /** @description The one-time code; for `otp` only. */
            otp?: string;
            /** @description Whether the voucher has expired, by sandbox time. Present only for `voucher`; absent in messages from older versions. */
            expired?: boolean;
            text: string;
            at: components["schemas"]["Timestamp"];
        };
        MessageList: {
            /** @description The next page's `after` value; null on the last page. */
            next: number | null;
            items: components["schemas"]["Message"][];
        };
        ListenerInput: {
            /**
             * Format: uri
             * @description The base URL at which the listener reaches your server, without credentials, query or fragment.
             */
            forward_to: string;
        };
        ListenerReply: {
            /** @description The id of the call or the heartbeat. */
            id: string;
            status?: number;
            /** @description The response headers by name in lower case, each with its values. */
            headers?: {
                [key: string]: string[];
            };
            /** @description The body, unchanged, or its next part. */
            body?: string;
            /**
             * @description Whether further parts follow.
             * @constant
             */
            more?: true;
            /** @description The reason for the missing reply. */
            failure?: string;
            /**
             * @description The response has more than `reply_bytes` bytes.
             * @constant
             */
            too_large?: true;
        };
        ActivityFields: {
            seq: number;
            at: components["schemas"]["Timestamp"];
            trace: string;
            /**
             * @description The caller, the called party, or the party whose state changed.
             * @enum {string}
             */
            party: "client" | "platform" | "vendor" | "sandbox";
            uid: string | null;
            redeem_codes: string[];
            /** @description The span that caused the entry: for an incoming call, the span in its `traceparent`; otherwise the enclosing call or job. */
            parent?: string;
        };
        ActivityCall: components["schemas"]["ActivityFields"] & {
            /** @enum {string} */
            kind: "call_in" | "call_out";
            /** @description Start of the call; `at` is its end. */
            began?: components["schemas"]["Timestamp"];
            /** @description The span of the call; for an outgoing call, the span in its `traceparent`. An incoming call whose `parent` is the span of an outgoing call is the other end of that call. */
            span?: string;
            method: string;
            /** @description Masked, and truncated to 512 characters. */
            url: string;
            /** @description The operationId; null if the contract defines none for this path. */
            operation: string | null;
            /** @description Null if no response arrived. */
            status: number | null;
            /** @description The request body, masked; null without a body. A mask contains the value's type and length, such as `string of 12 (masked)` or `number (masked)`. `{ "omitted": ... }` contains the body's size if the body exceeds 4 KiB, cannot be parsed, or was not read because the call was refused first. */
            request: unknown;
            /** @description The response body, masked; null without a body; `{ "omitted": ... }` if the body exceeds 4 KiB, or if a client's body is not JSON. */
            reply: unknown;
            /** @description The request headers. Absent if the call was not sent. */
            request_headers?: components["schemas"]["LoggedHeaders"];
            /** @description The response headers. Absent if no response arrived. */
            reply_headers?: components["schemas"]["LoggedHeaders"];
            /** @description Notices of tolerated anomalies and retries. */
            notices: string[];
            /**
             * @description The origin of an incoming call: a sandbox, a proxy that forwarded the call, this machine, or another machine.
             * @enum {string}
             */
            caller?: "sandbox" | "forwarded" | "machine" | "network";
            /**
             * @description Present if a listener made the outgoing call, otherwise absent.
             * @constant
             */
            via?: "listener";
            /** @description The violations of the contract: in the request of an incoming call, or in the response of an outgoing call; at most 20. Absent without violations, and in the caller's entry for a call between two parties of this sandbox. */
            findings?: components["schemas"]["CallFinding"][];
            /**
             * @description A body of the call could not be validated, or was not read. Absent if both bodies were validated.
             * @constant
             */
            unchecked?: true;
        };
        /**
         * @description Headers by name in lower case, without `Connection`, `Keep-Alive` and `Date`; repeated headers are joined with a comma. Credentials are masked except for their scheme, such as `Bearer string of 43 (masked)`. Values are truncated to 200 characters, and a message to 40 headers of 2,048 characters; the header `…` then contains the number of omitted headers.
         * @example {
         *       "authorization": "Bearer string of 43 (masked)",
         *       "content-type": "application/json",
         *       "idempotency-key": "RDM-000001-9K2QX4"
         *     }
         */
        LoggedHeaders: {
            [key: string]: string;
        };
        ActivityState: components["schemas"]["ActivityFields"] & {
            /** @constant */
            kind: "state";
            /** @description The kind of change, such as `order.placed` or `points.reversed`. */
            event: string;
            /** @description Details of the change; only `omitted` if they exceed 4 KiB. */
            detail: {
                [key: string]: unknown;
            };
        };
        ActivitySummary: {
            /** @description The oldest entry that is counted. */
            from: number;
            /** @description The newest entry that is counted; 0 for an empty log. */
            to: number;
            /** @description API calls that the sandbox received from others. */
            calls: number;
            /** @description Calls with a status of 400 or more. */
            failed: number;
            /** @description The same calls by minute, for the 30 minutes up to the newest call; minutes without a call are omitted. */
            minutes: {
                at: components["schemas"]["Timestamp"];
                calls: number;
                failed: number;
            }[];
            /** @description The same calls by operation, most frequent first. */
            operations: {
                /** @description The operationId; method and path if no contract contains the path. */
                operation: string;
                calls: number;
                failed: number;
                /** @description Milliseconds; null for an operation that moves the clock. */
                p50: number | null;
                /** @description Milliseconds; null for an operation that moves the clock. */
                p95: number | null;
            }[];
            /** @description Calls of an operation in either direction; a call that both sides logged counts once. */
            validated: {
                calls: number;
                /** @description Calls with a finding (`GET /findings`). */
                violating: number;
            };
            /** @description The state of your own server, according to the calls to its current address; null while the reference client is in use. */
            client: components["schemas"]["ClientHealth"] | null;
        };
        ClientHealth: {
            /**
             * @description The result of the last call without a fault: `answers` for a 2xx, `refuses` for any other status, and `silent` if no response arrived.
             * @enum {string}
             */
            state: "not_called" | "answers" | "refuses" | "silent";
            /** @description Time of the first call in the current series of calls with this result; null without calls. */
            since: components["schemas"]["Timestamp"] | null;
            /** @description Whether the log contains a 2xx response. */
            answered: boolean;
            /** @description The error of the last call; null if the status was 2xx. */
            reason: string | null;
        };
        ActivityList: {
            /** @description The next page's `after` value; null on the last page. */
            next: number | null;
            items: (components["schemas"]["ActivityCall"] | components["schemas"]["ActivityState"])[];
        };
        OperationList: {
            items: components["schemas"]["HostedOperation"][];
        };
        HostedOperation: {
            /** @description The operationId. */
            operation: string;
            /** @description The contract of the operation. */
            api: string;
            /** @enum {string} */
            hosted_by: "platform" | "client";
            method: string;
            /** @description Path in the sandbox, with parameters as `{name}`. */
            path: string;
            /** @description Security schemes of the contract; a call must satisfy one scheme. Empty if the operation requires none. */
            security: string[];
        };
        /** @description A finding (`GET /findings`), without the fields that the entry already contains. */
        CallFinding: components["schemas"]["Difference-2"];
        Finding: components["schemas"]["FindingFields"] & {
            /** @description Number of the call's entry in the activity log. */
            seq: number;
        };
        FindingList: {
            items: components["schemas"]["Finding"][];
            /** @description The first entry whose findings are available. */
            checked_from: number;
            /** @description The last entry whose findings are in `items`, within the requested range. */
            checked_to: number;
            /** @description The newest entry of the log. */
            newest: number;
            /** @description Number of calls with a body that was not validated. */
            unchecked: number;
        };
        OpenPoint: components["schemas"]["OpenPointUse"] & {
            title: string;
            /** @description The question that the interface leaves open. */
            question: string;
            /** @description The sandbox's assumption. */
            assumption: string;
            /** @description The request to the other side. */
            ask: string;
            /** @description The operations concerned; empty if the point concerns all operations. */
            operations: string[];
            /** @description Workspace settings that can settle the point; empty if there are none. */
            settings: string[];
            /** @description Whether the point must be settled before going live. */
            blocks: boolean;
            answer?: components["schemas"]["Answer"];
        };
        OpenPointList: {
            items: components["schemas"]["OpenPoint"][];
            /** @description The first examined entry of the activity log. */
            checked_from: number;
            /** @description The last examined entry; 0 if there was none. */
            checked_to: number;
        };
        /** @description The other side's answers to open points: the file `answers.yaml`. */
        Answers: {
            /** @description The answers, by the ids of the points, such as `OP-08`. */
            answers: {
                [key: string]: components["schemas"]["Answer"];
            };
        };
        Answer: {
            answer: components["schemas"]["AnswerWord"];
            /** @description The person who answered. */
            by: string;
            /**
             * Format: date
             * @description The date of the answer, such as `2026-11-28`.
             */
            date: string;
            /**
             * Format: uri
             * @description The address of the document with the answer.
             */
            link?: string;
            /** @description The answer in words. `differs` requires it. */
            text?: string;
            /** @description With `settled`: settings of a workspace that answer the point, such as `{ rate_limit: 500 }`. */
            value?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description `agreed`: the sandbox's assumption is correct. `settled`: it is correct with the settings in `value`. `differs`: it is wrong, and `text` contains the answer.
         * @enum {string}
         */
        AnswerWord: "agreed" | "settled" | "differs";
        /** @description The answer to the open point in `basis`. A violation of an agreed or settled point is an error; a violation of a point that differs is a notice. Absent without an answer. */
        GivenAnswer: {
            answer: components["schemas"]["AnswerWord"];
            by: string;
            date: string;
            text?: string;
        };
        /** @description The first call that relied on the point; null if there was none. */
        OpenPointCall: {
            /** @description The call's entry in the activity log, or its position among the checked exchanges. */
            number: number;
            /** @description The operationId. */
            operation: string;
            method: string;
            /** @description Path and query, secrets masked. */
            url: string;
            /** @description Status of the response; null without a response. */
            status: number | null;
            /** @description The trace of the call; null without a trace. */
            trace: string | null;
        } | null;
        Checklist: {
            /** @description Whether the workspace has evidence for every item that calls can prove. */
            ready: boolean;
            shown: number;
            not_shown: number;
            /** @description Number of items that no call can prove. Confirm them yourself. */
            yours: number;
            /** @description The items, in the order of the checklist. */
            items: components["schemas"]["ChecklistItem"][];
        };
        ChecklistItem: {
            id: string;
            /** @enum {string} */
            group: "your_server" | "your_calls" | "agreed" | "rehearsed";
            /** @description The text of the item, in Markdown. */
            title: string;
            /**
             * @description `shown`: the workspace has evidence. `not_shown`: it has no evidence, or evidence against the item. `yours`: no call can be evidence.
             * @enum {string}
             */
            state: "shown" | "not_shown" | "yours";
            /** @description The evidence, or the missing evidence and how to provide it. */
            evidence: string;
        };
        LedgerEntry: {
            /** @enum {string} */
            kind: "credit" | "deduct" | "reverse";
            points: components["schemas"]["WholePoints"];
            /** @description transactionId, redeemCode, or `opening`. */
            reference: string;
            /** @enum {string} */
            label: "Earned" | "Pending" | "Redeemed" | "Reversed";
            at: components["schemas"]["Timestamp"];
        };
        Ledger: {
            /** @description The next page's `after` value; null on the last page. */
            next: number | null;
            items: components["schemas"]["LedgerEntry"][];
            balance: components["schemas"]["WholePoints"];
        };
        PlacedOrder: {
            /** @description The number of the state change that placed the order. */
            seq: number;
            uid: string;
            order: components["schemas"]["Order"];
        };
        PlacedOrderList: {
            /** @description The next page's `after` value; null on the last page. */
            next: number | null;
            items: components["schemas"]["PlacedOrder"][];
        };
        /** @description An entry of the client's ledger in a timeline. */
        TimelineBooking: {
            /** @description Number of the state change that caused the entry. */
            seq: number;
            at: components["schemas"]["Timestamp"];
            /** @constant */
            kind: "ledger";
            /** @constant */
            party: "client";
            uid: string;
            entry: components["schemas"]["LedgerEntry"];
        };
        Redemption: {
            redeem_code: string;
            /** @description Null for a code that was only ever rejected. */
            uid: string | null;
            /** @description Null if the platform does not know the redemption. */
            platform: components["schemas"]["PlatformSide"] | null;
            /** @description Null if the client does not know the redemption. */
            client: components["schemas"]["ClientSide"] | null;
            items: (components["schemas"]["ActivityCall"] | components["schemas"]["ActivityState"] | components["schemas"]["TimelineBooking"])[];
        };
        /** @description A redemption at the platform. */
        PlatformSide: {
            /**
             * @description `Placing` while the order call is in progress: the order is not placed yet.
             * @enum {string}
             */
            state: "Placing" | "Pending" | "Delivered" | "Rejected";
            points: components["schemas"]["DeductedPoints"];
        };
        /** @description A redemption at the client. */
        ClientSide: {
            /**
             * @description `Refused`: rejected before its deduction arrived; nothing was deducted.
             * @enum {string}
             */
            state: "Pending" | "Delivered" | "Rejected" | "Refused";
            points: components["schemas"]["DeductedPoints"];
        };
        /**
         * Format: int64
         * @description Points that this side counts as deducted.
         */
        DeductedPoints: number;
        Difference: {
            redeem_code: string;
            uid: string;
            /**
             * @description `orphan_deduction`: the client deducted points for an order that does not exist; `missing_reversal`: the platform rejected the redemption, but the client has not returned the points; `missing_deduction`: the order was placed or delivered without a deduction; `points_differ`: platform and client deducted different points.
             * @enum {string}
             */
            kind: "orphan_deduction" | "missing_reversal" | "missing_deduction" | "points_differ";
            /** @description Null if the platform does not know the redemption. */
            platform: components["schemas"]["PlatformSide"] | null;
            /** @description Null if the client does not know the redemption. */
            client: components["schemas"]["ClientSide"] | null;
            /**
             * Format: int64
             * @description The client's points minus the platform's; if above 0, the customer has paid too much.
             */
            difference: number;
            /**
             * @description Whether the platform still has scheduled work or a parked delivery for the redemption.
             * @enum {string}
             */
            outstanding: "due" | "parked" | "none";
        };
        Reconciliation: {
            /** @description The next page's `after` value; null on the last page. */
            next: string | null;
            items: (components["schemas"]["Difference"] | components["schemas"]["BalanceDifference"])[];
        };
        Delivery: {
            id: string;
            /** @enum {string} */
            kind: "creditPoints" | "reportStatus" | "sendWebhook";
            /** @enum {string} */
            status: "due" | "parked";
            /** @description Attempts so far on this schedule. */
            tries: number;
            /** @description Time of the next attempt; null when parked. */
            next_at: components["schemas"]["Timestamp"] | null;
            /** @description The reason for the last failure; null before the first attempt. */
            reason: string | null;
            redeem_code: string | null;
            transaction_id: string | null;
            webhook_id: string | null;
        };
        DeliveryList: {
            /** @description The next page's `after` value; null on the last page. */
            next: string | null;
            items: components["schemas"]["Delivery"][];
        };
        WebhookTry: {
            /** @description Number of the attempt, counted across all webhooks. */
            seq: number;
            at: components["schemas"]["Timestamp"];
            /** @description The trace of the call that changed the catalogue. */
            trace: string;
            webhook_id: string;
            /** @description The id of the delivery in `/deliveries`. */
            delivery_id: string;
            /** @description The header `webhook-id`, the same for every attempt. */
            message_id: string;
            /** @constant */
            event: "catalogue.updated";
            /** @description 1 for the first attempt; a replay starts again at 1. */
            try: number;
            /** @description The receiver's status; null if there was no response. */
            status: number | null;
            /** @description The reason for a failure; null if the message counts as received. */
            reason: string | null;
            /**
             * @description `delivered`: answered with 2xx; `retrying`: due again at `next_at`; `parked`: waiting for a replay; `dropped`: the webhook was removed.
             * @enum {string}
             */
            state: "delivered" | "retrying" | "parked" | "dropped";
            /** @description Time of the next attempt; null if there is none. */
            next_at: components["schemas"]["Timestamp"] | null;
            payload: components["schemas"]["CatalogueUpdated"];
        };
        WebhookTryList: {
            /** @description The next page's `after` value; null on the last page. */
            next: number | null;
            items: components["schemas"]["WebhookTry"][];
        };
        Clock: {
            now: components["schemas"]["Timestamp"];
            /** @enum {string} */
            mode: "running" | "frozen";
        };
        ClockAdvance: {
            seconds: number;
        };
        Ran: {
            now: components["schemas"]["Timestamp"];
            /** @description Number of jobs whose result, or next attempt, is stored (OP-94). */
            ran: number;
            /** @description The first 1,000 of these jobs, in the order in which they ran. */
            items: {
                id: string;
                /** @description The kind of job. */
                kind: string;
                /**
                 * Format: date-time
                 * @description The time at which the job was due.
                 */
                at: string;
            }[];
        };
        /** @description Identifies the request. The reply contains the same id. */
        McpId: string | number;
        /** @description A JSON-RPC request, or a notification, which has no `id`. */
        McpMessage: {
            /**
             * @description The version of JSON-RPC.
             * @constant
             */
            jsonrpc: "2.0";
            id?: components["schemas"]["McpId"];
            /** @description The method, such as `tools/list`, `tools/call` or `server/discover`. */
            method: string;
            /** @description The parameters of the method. */
            params?: {
                [key: string]: unknown;
            };
        };
        /** @description A JSON-RPC response: `result`, or `error`. */
        McpReply: {
            /**
             * @description The version of JSON-RPC.
             * @constant
             */
            jsonrpc: "2.0";
            id: components["schemas"]["McpId"];
            /** @description The result of the method. */
            result?: {
                [key: string]: unknown;
            };
            error?: components["schemas"]["McpProblem"];
        };
        /** @description A JSON-RPC error. Its `id` is null if the message has no id. */
        McpError: {
            /**
             * @description The version of JSON-RPC.
             * @constant
             */
            jsonrpc: "2.0";
            /** @description The `id` of the request. */
            id?: components["schemas"]["McpId"] | null;
            error: components["schemas"]["McpProblem"];
        };
        /** @description The error. */
        McpProblem: {
            /** @description A code of JSON-RPC or of the protocol. */
            code: number;
            /** @description The error and its location. */
            message: string;
            /** @description Details of the error. */
            data?: unknown;
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
        /** @description Seconds of sandbox time. */
        Lifetime: number;
        /**
         * @description The response to a `limit` above 200: a 400, or a page of 200 items.
         * @enum {string}
         */
        LimitAboveMaximum: "refuse" | "clamp";
        /** @description Number of attempts that a one-time password allows. */
        OtpTries: number;
        /**
         * @description Seconds of sandbox time before each retry of a platform call. After the last retry, the call is parked.
         * @example [
         *       5,
         *       300,
         *       1800
         *     ]
         */
        RetryDelays: number[];
        /**
         * @description The order of vouchers in a wallet.
         * @enum {string}
         */
        WalletOrder: "oldest_first" | "newest_first";
        /**
         * @description The rounding of a fraction of a point.
         * @enum {string}
         */
        Rounding: "down" | "up" | "nearest";
        /** @description Days from the issue of a voucher to its expiry. */
        VoucherValidity: number;
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
        /**
         * Format: int64
         * @description A number of points, never negative.
         */
        WholePoints: number;
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
        /** @description An amount in INR as decimal text with at most two decimals. */
        AmountText: string;
        /** @enum {string} */
        OrderStatus: "Pending" | "Delivered" | "Rejected";
        /** @description Contains a redemption, an order, or both; with both, the redemption is cancelled. */
        CancellationTrigger: {
            redeemCode?: components["schemas"]["RedeemCode"];
            /** @description The order whose Pending redemptions are cancelled. */
            order_id?: string;
            /** @description Appended to the remark, after `Cancelled by the company`. */
            reason?: string;
        };
        CancellationCaused: {
            order_id: string;
            /** @description Redemptions cancelled by this call or an earlier one. */
            cancelled: string[];
            /** @description Redemptions that cannot be cancelled, with the reasons. */
            kept: {
                redeemCode: string;
                reason: string;
            }[];
        };
        /**
         * Format: date-time
         * @description A time on the sandbox clock, in UTC.
         */
        Timestamp: string;
        /** @description One place where a call violates its contract. */
        "Difference-2": {
            /** @description Direction, part of the message and rule, such as `reply.body.type`. Branch on this stable code. */
            code: string;
            /**
             * @description `error`: violates a statement of the interface or an agreed assumption. `warning`: violates another assumption of this sandbox. `notice`: was not checked, is not part of the interface, or violates an assumption that the other side does not share. A notice is no party's fault.
             * @enum {string}
             */
            severity: "error" | "warning" | "notice";
            /** @description The basis of the violated rule: `stated` and the ids of statements in docs/interface.md, or the id of a row in docs/register.yaml. */
            basis: string;
            answer?: components["schemas"]["GivenAnswer"];
            /**
             * @description The party at fault: the sender of the request or of the response.
             * @enum {string}
             */
            party: "caller" | "host";
            /**
             * @description The host of the operation; `nobody` if no contract contains the path.
             * @enum {string}
             */
            hosted_by: "platform" | "client" | "sandbox" | "proxy" | "nobody";
            /** @enum {string} */
            direction: "request" | "reply";
            /** @description The contract, such as `rewards`. */
            api: string;
            /** @description JSON pointer into the message: `/body/...`, `/query/name`, `/path/name`, `/headers/name`, `/status`, `/method`, `/url`. */
            pointer: string;
            /** @description The requirement of the contract. */
            expected: string;
            /** @description The actual value, masked and truncated to 200 characters; `nothing` if there was no value. */
            actual: string;
            /** @description The rule in the contract. */
            contract: {
                file: string;
                line: number;
            };
        };
        FindingFields: components["schemas"]["Difference-2"] & {
            /** @description operationId; null if the contract defines none for this path. */
            operation: string | null;
            method: string;
            /** @description Path and query, secrets masked. */
            url: string;
            /** @description Status of the response; null without a response. */
            status: number | null;
            /** @description The trace of the first such exchange; null without a trace. */
            trace: string | null;
        };
        /** @description The calls that rely on an open point. */
        OpenPointUse: {
            /** @description The row in docs/register.yaml, such as `OP-08`. */
            id: string;
            /** @description Number of calls that rely on the assumption and comply with it. */
            kept: number;
            /** @description Number of calls that violate the assumption. */
            violated: number;
            example: components["schemas"]["OpenPointCall"];
        };
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
        BalanceChange: {
            /**
             * @description `cancelled_deduction`: a possible deduction, reversed with the whole order.
             * @enum {string}
             */
            kind: "deduction" | "refused_deduction" | "cancelled_deduction" | "reversal" | "credit";
            /** @description The `redeemCode`, or the `transactionId` of a credit. */
            reference: string;
            /**
             * Format: int64
             * @description All points of the change, including a fee.
             */
            points: number;
            /** @description Your server's probable mistake with the change; null if nothing explains the difference. */
            mistake: ("deducted_twice" | "not_deducted" | "deducted_without_fee" | "deducted_though_refused" | "not_reversed" | "reversed_without_fee" | "reversed_twice" | "not_credited" | "credited_twice") | null;
        };
        /** @description A customer's balance at your own client server. */
        BalanceDifference: {
            uid: string;
            /**
             * @description `balance_differs`: the balance differs from the sum of your server's responses, and one of `changes` may be the reason; `unknown`: the balance cannot be checked.
             * @enum {string}
             */
            kind: "balance_differs" | "unknown";
            /** @description The reason for an unknown balance, otherwise null. `unanswered`: your server has not confirmed a change; `not_read`: the balance could not be read since the last change; `no_read_before`: the first balance was read after changes; `pending`: the client returned the points of a Pending redemption, which is permitted; `unexplained`: no single kind of mistake with these changes explains the difference, for example after a payment elsewhere. */
            reason: ("unanswered" | "not_read" | "no_read_before" | "pending" | "unexplained") | null;
            /**
             * Format: int64
             * @description The expected balance minus the actual balance; if above 0, the customer has paid too much. Null if unknown.
             */
            difference: number | null;
            /**
             * Format: int64
             * @description The last comparable balance from your server.
             */
            balance: number | null;
            /** @description Time of the response with this balance; null if there was none. */
            read_at: components["schemas"]["Timestamp"] | null;
            /** @description The changes in question, at most the newest 50. */
            changes: components["schemas"]["BalanceChange"][];
            /**
             * @description Whether the platform still has scheduled work or a parked delivery for one of the changes.
             * @enum {string}
             */
            outstanding: "due" | "parked" | "none";
        };
        /** @description An e-gift voucher. */
        EgvItem: components["schemas"]["EgvFields"];
        /** @description A physical product. */
        PhysicalItem: components["schemas"]["PhysicalFields"];
        /** @description A catalogue item: one of type EGV (R4) or one of type PHYSICAL (R5). */
        CatalogueItem: components["schemas"]["EgvItem"] | components["schemas"]["PhysicalItem"];
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
        /** @description Number of applicable requirements that passed or failed. */
        CertificationShare: {
            judged: number;
            of: number;
        };
        /** @description The number of applicable requirements that were checked. A run is partial unless it checked all mandatory requirements. */
        CertificationCoverage: {
            mandatory: components["schemas"]["CertificationShare"];
            recommended: components["schemas"]["CertificationShare"];
        };
    };
    responses: {
        /** @description The workspace, ready to use. */
        WorkspaceMade: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                "Cache-Control": components["headers"]["NotKept"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Workspace"];
            };
        };
        /** @description A parameter is missing or malformed. */
        BadParameter: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
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
        /** @description The id is in use, or the limit is reached. */
        AlreadyExists: {
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
        /** @description The limit is reached. */
        LimitReached: {
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
         * @description Maximum number of items. A page contains fewer if they exceed 1 MiB.
         * @example 100
         */
        PageLimit: number;
        /**
         * @description The item.
         * @example EGV-SPICE-500
         */
        SkuCode: string;
        /**
         * @description Only entries with a higher `seq`: the previous page's `next` value, or the highest `seq` that you have read. 0 starts with the oldest.
         * @example 17
         */
        LogAfter: number;
        /**
         * @description Seconds of real time to wait for a result. The sandbox responds as soon as a result exists, or with an empty list after the wait. If 200 callers are already waiting, it responds immediately.
         * @example 10
         */
        Wait: number;
        /**
         * @description Maximum number of entries: the newest entries or, with `after`, the next entries. A page contains fewer if they exceed 1 MiB.
         * @example 100
         */
        LogLimit: number;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this call in the activity log. Include it in support requests. If you send a W3C `traceparent` header, this is its trace id.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        TraceId: string;
        /**
         * @description Seconds to wait before the next attempt.
         * @example 42
         */
        RetryAfter: number;
        /**
         * @description Caches must not store this response, because it contains a credential (RFC 6749, 5.1).
         * @example no-store
         */
        NotKept: "no-store";
        /**
         * @description The authentication scheme to use and the reason for the refusal. Without a credential, `Bearer` and a realm (RFC 6750, 3.1).
         * @example Bearer error="invalid_token"
         */
        BearerChallenge: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sandbox accepts calls. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["BadParameter"];
            500: components["responses"]["InternalError"];
            /** @description Writes are rejected, or the server cannot accept the call now. */
            503: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatError"];
                };
            };
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspace. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["NotKept"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceChange"];
            };
        };
        responses: {
            /** @description The workspace. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["NotKept"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkConnection: {
        parameters: {
            query: {
                /**
                 * @description A customer that the client knows.
                 * @example CUST0001
                 */
                uid: components["schemas"]["Uid"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The checks, in the order in which they ran. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionChecks"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspace. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["NotKept"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of items. A page contains fewer if they exceed 1 MiB.
                 * @example 100
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description The previous page's `next` value.
                 * @example CUST0007
                 */
                after?: components["schemas"]["Uid"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customers. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerList"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerInput"];
            };
        };
        responses: {
            /** @description The customer. */
            201: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["AlreadyExists"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The customer.
                 * @example CUST0007
                 */
                uid: components["schemas"]["Uid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerChange"];
            };
        };
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WorkspaceFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCatalogue: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of items. A page contains fewer if they exceed 1 MiB.
                 * @example 100
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description The previous page's `next` value.
                 * @example 17
                 */
                after?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The items. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockItemList"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCatalogueItem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ItemInput"];
            };
        };
        responses: {
            /** @description The item. */
            201: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockItem"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["AlreadyExists"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCatalogueItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The item's code.
                 * @example EGV-CHAI-250
                 */
                sku_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The item is deleted. */
            204: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCatalogueItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The item.
                 * @example EGV-SPICE-500
                 */
                sku_code: components["parameters"]["SkuCode"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ItemChange"];
            };
        };
        responses: {
            /** @description The item. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockItem"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WorkspaceFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listVendorOutcomes: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of items. A page contains fewer if they exceed 1 MiB.
                 * @example 100
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description The previous page's `next` value.
                 * @example EGV-SPICE-500
                 */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rules. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VendorOutcomeList"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getVendorOutcome: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The item.
                 * @example EGV-SPICE-500
                 */
                sku_code: components["parameters"]["SkuCode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new rule. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VendorOutcome"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setVendorOutcome: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The item.
                 * @example EGV-SPICE-500
                 */
                sku_code: components["parameters"]["SkuCode"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VendorOutcomeInput"];
            };
        };
        responses: {
            /** @description The new rule. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VendorOutcome"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WorkspaceFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteVendorOutcome: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The item.
                 * @example EGV-SPICE-500
                 */
                sku_code: components["parameters"]["SkuCode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The default applies again. */
            204: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFaults: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of items. A page contains fewer if they exceed 1 MiB.
                 * @example 100
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description The previous page's `next` value.
                 * @example FLT-1
                 */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The faults. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FaultList"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createFault: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FaultInput"];
            };
        };
        responses: {
            /** @description The fault. */
            201: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fault"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["WorkspaceFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All faults are deleted. */
            204: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteFault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The fault's id.
                 * @example FLT-000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fault is deleted. */
            204: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMagicValues: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The values, items first. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MagicValueList"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    triggerPayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentTrigger"];
            };
        };
        responses: {
            /** @description The event and its result. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentCaused"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["WorkspaceFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    triggerCatalogueChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CatalogueChangeTrigger"];
            };
        };
        responses: {
            /** @description The change and its webhooks. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueChangeCaused"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WorkspaceFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    triggerWebhookTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestTrigger"];
            };
        };
        responses: {
            /** @description The message and its result. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTestCaused"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WorkspaceFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    triggerStatusUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusUpdateTrigger"];
            };
        };
        responses: {
            /** @description The call and its result. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusUpdateCaused"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WorkspaceFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    triggerTimeout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TimeoutTrigger"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimeoutCaused"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WorkspaceFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    triggerVendorOutcome: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VendorOutcomeTrigger"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VendorOutcomeCaused"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WorkspaceFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    triggerCancellation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancellationTrigger"];
            };
        };
        responses: {
            /** @description The cancelled redemptions, and those that cannot be cancelled. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancellationCaused"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WorkspaceFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /**
                 * @description Only messages to this customer.
                 * @example CUST0007
                 */
                uid?: components["schemas"]["Uid"];
                /**
                 * @description Only messages whose code has this reference.
                 * @example OTP-000001-4B7E
                 */
                reference_id?: string;
                /**
                 * @description Only messages on this channel.
                 * @example SMS
                 */
                channel?: "SMS" | "WhatsApp";
                /**
                 * @description Maximum number of messages: the newest messages or, with `after`, the next messages. The page contains fewer if they exceed 1 MiB.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description Only entries with a higher `seq`: the previous page's `next` value, or the highest `seq` that you have read. 0 starts with the oldest.
                 * @example 17
                 */
                after?: components["parameters"]["LogAfter"];
                /**
                 * @description Seconds of real time to wait for a result. The sandbox responds as soon as a result exists, or with an empty list after the wait. If 200 callers are already waiting, it responds immediately.
                 * @example 10
                 */
                wait?: components["parameters"]["Wait"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The messages. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    openListener: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ListenerInput"];
            };
        };
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postListenerReply: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The listener's id from the event `open`.
                 * @example 9f86d081884c7d65
                 */
                listener: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ListenerReply"];
            };
        };
        responses: {
            /** @description The reply was accepted. */
            204: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listActivity: {
        parameters: {
            query?: {
                /**
                 * @description Only entries of this trace.
                 * @example 4bf92f3577b34da6a3ce929d0e0e4736
                 */
                trace?: string;
                /**
                 * @description Only entries about this redemption.
                 * @example RDM-000001-9K2QX4
                 */
                redeem_code?: string;
                /**
                 * @description Only entries about this customer, including entries that name one of the customer's redemptions but no customer.
                 * @example CUST0007
                 */
                uid?: components["schemas"]["Uid"];
                /**
                 * @description Maximum number of entries: the newest entries or, with `after`, the next entries. The page contains fewer if they exceed 1 MiB.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description Only entries with a higher `seq`: the previous page's `next` value, or the highest `seq` that you have read. 0 starts with the oldest.
                 * @example 17
                 */
                after?: components["parameters"]["LogAfter"];
                /**
                 * @description Seconds of real time to wait for a result. The sandbox responds as soon as a result exists, or with an empty list after the wait. If 200 callers are already waiting, it responds immediately.
                 * @example 10
                 */
                wait?: components["parameters"]["Wait"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    summarizeActivity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivitySummary"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamActivity: {
        parameters: {
            query?: {
                /**
                 * @description Only entries of this trace.
                 * @example 4bf92f3577b34da6a3ce929d0e0e4736
                 */
                trace?: string;
                /**
                 * @description Only entries about this redemption.
                 * @example RDM-000001-9K2QX4
                 */
                redeem_code?: string;
                /**
                 * @description Only entries about this customer, including entries that name one of the customer's redemptions but no customer.
                 * @example CUST0007
                 */
                uid?: components["schemas"]["Uid"];
                /**
                 * @description Start after the entry with this `seq`; 0 is the start of the log.
                 * @example 17
                 */
                after?: number;
            };
            header?: {
                /**
                 * @description The last `id` received; takes precedence over `after`.
                 * @example 17
                 */
                "Last-Event-ID"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            /** @description The maximum number of streams is open. Close one, or poll `/activity` with `wait`. */
            409: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOperations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operations. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationList"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFindings: {
        parameters: {
            query?: {
                /**
                 * @description Only findings of the activity entry with this number.
                 * @example 17
                 */
                seq?: number;
                /**
                 * @description Only findings of calls in this trace.
                 * @example 4bf92f3577b34da6a3ce929d0e0e4736
                 */
                trace?: string;
                /**
                 * @description `error`: only violations of the interface's statements and of agreed assumptions; `warning`: only violations of other assumptions of this sandbox.
                 * @example error
                 */
                severity?: "error" | "warning";
                /**
                 * @description Maximum number of items: the newest items or, with `after`, the next items. Findings of one call are never split, so a page can exceed the limit.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description Only findings of calls with a higher `seq`; to follow the list, pass the last `checked_to`.
                 * @example 17
                 */
                after?: number;
                /**
                 * @description With `after`: seconds of real time to wait for a later entry.
                 * @example 10
                 */
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The findings. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindingList"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOpenPoints: {
        parameters: {
            query?: {
                /**
                 * @description `yes`: only points that calls relied on; `no`: only other points.
                 * @example yes
                 */
                relied_on?: "yes" | "no";
                /**
                 * @description `yes`: only points that block going live; `no`: only other points.
                 * @example yes
                 */
                blocks?: "yes" | "no";
                /**
                 * @description `no`: only points without an answer; `yes`: only points with an answer.
                 * @example no
                 */
                answered?: "yes" | "no";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The points. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenPointList"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnswers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answers. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Answers"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceAnswers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Answers"];
            };
        };
        responses: {
            /** @description The current answers. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Answers"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getChecklist: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The checklist. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checklist"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPlacedOrders: {
        parameters: {
            query?: {
                /**
                 * @description Only orders of this customer.
                 * @example CUST0007
                 */
                uid?: components["schemas"]["Uid"];
                /**
                 * @description Only orders with this status.
                 * @example Delivered
                 */
                status?: components["schemas"]["OrderStatus"];
                /**
                 * @description Maximum number of entries: the newest entries or, with `after`, the next entries. A page contains fewer if they exceed 1 MiB.
                 * @example 100
                 */
                limit?: components["parameters"]["LogLimit"];
                /**
                 * @description Only entries with a higher `seq`: the previous page's `next` value, or the highest `seq` that you have read. 0 starts with the oldest.
                 * @example 17
                 */
                after?: components["parameters"]["LogAfter"];
                /**
                 * @description Seconds of real time to wait for a result. The sandbox responds as soon as a result exists, or with an empty list after the wait. If 200 callers are already waiting, it responds immediately.
                 * @example 10
                 */
                wait?: components["parameters"]["Wait"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The orders. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlacedOrderList"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPlacedOrder: {
        parameters: {
            query?: {
                /**
                 * @description Seconds of real time to wait while the order is Pending. The response then contains its current state.
                 * @example 10
                 */
                wait?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The order's id.
                 * @example ORD-000002-1C8E
                 */
                order_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlacedOrder"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLedger: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of items. A page contains fewer if they exceed 1 MiB.
                 * @example 100
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description The previous page's `next` value.
                 * @example 100
                 */
                after?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The customer.
                 * @example CUST0007
                 */
                uid: components["schemas"]["Uid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ledger. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ledger"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRedemption: {
        parameters: {
            query?: {
                /**
                 * @description Only entries with a higher `seq`: the previous page's `next` value, or the highest `seq` that you have read. 0 starts with the oldest.
                 * @example 17
                 */
                after?: components["parameters"]["LogAfter"];
                /**
                 * @description Seconds of real time to wait for a result. The sandbox responds as soon as a result exists, or with an empty list after the wait. If 200 callers are already waiting, it responds immediately.
                 * @example 10
                 */
                wait?: components["parameters"]["Wait"];
            };
            header?: never;
            path: {
                /**
                 * @description The redemption's code.
                 * @example RDM-000001-9K2QX4
                 */
                redeemCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The redemption and its timeline. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redemption"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReconciliation: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of items. A page contains fewer if they exceed 1 MiB.
                 * @example 100
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description The previous page's `next` value.
                 * @example RDM-000001-9K2QX4
                 */
                after?: string;
                /**
                 * @description For your own server: `read` requests balances, `known` uses balances already known.
                 * @example known
                 */
                balances?: "read" | "known";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mismatches. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reconciliation"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of items. A page contains fewer if they exceed 1 MiB.
                 * @example 100
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description The previous page's `next` value.
                 * @example W000000000007
                 */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayParkedDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["WorkspaceFull"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The delivery's id.
                 * @example W000000000007
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WorkspaceFull"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of entries: the newest entries or, with `after`, the next entries. A page contains fewer if they exceed 1 MiB.
                 * @example 100
                 */
                limit?: components["parameters"]["LogLimit"];
                /**
                 * @description Only entries with a higher `seq`: the previous page's `next` value, or the highest `seq` that you have read. 0 starts with the oldest.
                 * @example 17
                 */
                after?: components["parameters"]["LogAfter"];
                /**
                 * @description Seconds of real time to wait for a result. The sandbox responds as soon as a result exists, or with an empty list after the wait. If 200 callers are already waiting, it responds immediately.
                 * @example 10
                 */
                wait?: components["parameters"]["Wait"];
            };
            header?: never;
            path: {
                /**
                 * @description The webhook's id.
                 * @example WHK-000001-9K2Q
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attempts. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTryList"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The time. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Clock"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    advanceClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClockAdvance"];
            };
        };
        responses: {
            /** @description The jobs that ran. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ran"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    settle: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The jobs that ran. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ran"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                /**
                 * @description Only workspaces whose id or name contains this text, ignoring case.
                 * @example build
                 */
                search?: components["schemas"]["WorkspaceName"];
                /**
                 * @description Maximum number of items. A page contains fewer if they exceed 1 MiB.
                 * @example 100
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * @description The previous page's `next` value.
                 * @example 1768165452318.ws_9f86d081884c7d65
                 */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspaces. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceList"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WorkspaceInput"];
            };
        };
        responses: {
            201: components["responses"]["WorkspaceMade"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["LimitReached"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workspace's id.
                 * @example ws_9f86d081884c7d65
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspace is deleted. */
            204: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateListedWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workspace's id.
                 * @example ws_9f86d081884c7d65
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ListedWorkspaceChange"];
            };
        };
        responses: {
            /** @description The workspace, as in the list. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceSummary"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkWorkspace: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's `reconciliation.next` value.
                 * @example CUST0007
                 */
                after?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The workspace's id.
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The calls, findings and mismatches of the workspace. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceVerdict"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSnapshots: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The snapshots. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotList"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SnapshotInput"];
            };
        };
        responses: {
            /** @description The snapshot. */
            201: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Snapshot"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["LimitReached"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The snapshot's id.
                 * @example SNP-000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The snapshot is deleted. */
            204: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The snapshot's id.
                 * @example SNP-000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The restored snapshot. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Snapshot"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            /** @description The snapshot is damaged, or exceeds the data limit of a workspace. */
            409: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    forkSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The snapshot's id.
                 * @example SNP-000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: components["responses"]["WorkspaceMade"];
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            /** @description The limit of workspaces is reached, or the snapshot is damaged or exceeds the data limit of a workspace. */
            409: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCertifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The runs. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CertificationList"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startCertification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CertificationInput"];
            };
        };
        responses: {
            /** @description The run has started or is queued. */
            202: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CertificationSummary"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description A certification is already running in this workspace, or the queue is full. */
            409: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCertification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run's id.
                 * @example CRT-000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Certification"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCertification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run's id.
                 * @example CRT-000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The certification is deleted. */
            204: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPartners: {
        parameters: {
            query?: {
                /**
                 * @description Number of days to count, up to today.
                 * @example 30
                 */
                days?: number;
                /**
                 * @description Only workspaces whose id or name contains this text, ignoring case.
                 * @example meadow
                 */
                search?: components["schemas"]["WorkspaceName"];
                /**
                 * @description Number of workspaces per page.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description The previous page's `next` value.
                 * @example 1768165452318.ws_9f86d081884c7d65
                 */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The partners. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartnerList"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportPartners: {
        parameters: {
            query?: {
                /**
                 * @description Number of days to count, up to today.
                 * @example 30
                 */
                days?: number;
                /**
                 * @description Only workspaces whose id or name contains this text, ignoring case.
                 * @example meadow
                 */
                search?: components["schemas"]["WorkspaceName"];
                /**
                 * @description Number of workspaces per page.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description The previous page's `next` value.
                 * @example 1768165452318.ws_9f86d081884c7d65
                 */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A header row, and a row for each partner on the page. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCertificates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The certificates. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CertificateList"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    submitCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CertificateInput"];
            };
        };
        responses: {
            /** @description The claims and the signer of the certificate. */
            201: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CertificateSummary"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTrustedKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, in the form that `certificate verify --trusted` reads. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrustedKeyList"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceTrustedKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrustedKeyList"];
            };
        };
        responses: {
            /** @description The current keys. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrustedKeyList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendMcpMessage: {
        parameters: {
            query?: {
                /**
                 * @description `read` offers the tools that change nothing and show no credentials or one-time passwords; `all` offers every tool.
                 * @example all
                 */
                tools?: "read" | "all";
            };
            header?: {
                /**
                 * @description The protocol revision, as in the message.
                 * @example 2025-11-25
                 */
                "MCP-Protocol-Version"?: string;
                /**
                 * @description The `method` of the message. Required since 2026-07-28.
                 * @example tools/call
                 */
                "Mcp-Method"?: string;
                /**
                 * @description The name of the tool that the message calls. Required for `tools/call` since 2026-07-28.
                 * @example getClock
                 */
                "Mcp-Name"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["McpMessage"];
            };
        };
        responses: {
            /** @description The result, or a JSON-RPC error of the method. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpReply"];
                };
            };
            /** @description The notification was accepted. There is no reply. */
            202: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The message is malformed, names an unsupported revision, or does not match its headers. The body is a JSON-RPC error if the protocol defines one. */
            400: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatError"] | components["schemas"]["McpError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The server does not support the method. */
            404: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
