<?php

declare(strict_types=1);

/**
 * The operations that the platform and the microsite call, with their inputs and replies. Each receives the caller and
 * the body, or the query if there is no body. The caller is a customer's uid, or null for the service token or the
 * microsite. Each returns the body of a 200 reply.
 */
final class Operations
{
    private const DONE = ['success' => true, 'status' => 200];
    private const STATUSES = ['Pending', 'Delivered', 'Rejected'];

    /** Fields of a redemption record that a repeat must not change. */
    private const RECORD_FIELDS = [
        'uid', 'scheme', 'redeemCode', 'redeemPoints', 'shippingAddress', 'processingFee', 'productCode', 'productName',
        'quantity', 'email', 'mobileNo', 'totalpoints', 'totalPointWithProcessingFee', 'tdsSingleItem',
    ];

    public function __construct(
        private readonly Ledger $ledger,
        private readonly Tokens $tokens,
        private readonly OneTimePasswords $otps,
        private readonly MessageGateway $gateway,
        private readonly string $projectCode,
    ) {
    }

    /**
     * Returns the operations by path: the method, the credential check, whether the request has a body, and the
     * handler.
     */
    public function byPath(): array
    {
        $customerOrService = $this->tokens->customerOrService(...);
        $service = $this->tokens->service(...);
        $microsite = $this->tokens->microsite(...);
        return [
            '/getProfileAndPoints' => ['POST', $customerOrService, false, $this->getProfileAndPoints(...)],
            '/creditPoints' => ['POST', $service, true, $this->creditPoints(...)],
            '/saveRedeemDetails' => ['POST', $customerOrService, true, $this->saveRedeemDetails(...)],
            '/updateRedeemStatus' => ['POST', $service, true, $this->updateRedeemStatus(...)],
            '/api/v1/auth/generate-otp' => ['POST', $microsite, true, $this->generateOtp(...)],
            '/api/v1/auth/verify-otp' => ['POST', $microsite, true, $this->verifyOtp(...)],
            '/api/v1/customer/points' => ['GET', $customerOrService, false, $this->getCustomerPoints(...)],
            '/api/v1/orders/redeem' => ['POST', $customerOrService, true, $this->redeemPoints(...)],
            '/api/v1/orders/reverse' => ['POST', $service, true, $this->reversePoints(...)],
        ];
    }

    private function getProfileAndPoints(?string $caller, array $query): array
    {
        return $this->ledger->find(self::ownUid($caller, self::text($query, 'uid')));
    }

    private function creditPoints(?string $caller, array $body): array
    {
        $uid = self::text($body, 'uid');
        $transactionId = self::text($body, 'transactionId');
        self::text($body, 'eventType');
        if (!preg_match('/^(0|[1-9][0-9]{0,12})(\.[0-9]{1,2})?$/D', self::text($body, 'paymentAmount'))) {
            throw Refused::mandatory();
        }
        $points = self::wholeNumber($body, 'points', 0);
        $values = self::fingerprint($body, ['uid', 'eventType', 'paymentAmount', 'points']);
        $this->ledger->credit($transactionId, $uid, $points, $values);
        return self::DONE;
    }

    private function saveRedeemDetails(?string $caller, array $body): array
    {
        foreach (['uid', 'scheme', 'redeemCode', 'productCode', 'productName'] as $name) {
            self::text($body, $name);
        }
        foreach (['shippingAddress', 'email', 'mobileNo'] as $name) {
            self::anyText($body, $name);
        }
        if (($body['redeemStatus'] ?? null) !== 'pending') {
            throw Refused::mandatory();
        }
        $adds = self::addsUp($body);
        $uid = self::ownUid($caller, $body['uid']);
        $this->ledger->find($uid);
        if ($body['scheme'] !== $this->projectCode) {
            throw new Refused(422, 'Unknown project.');
        }
        if (!$adds) {
            throw new Refused(422, 'Points do not add up.');
        }
        $points = (int) $body['totalPointWithProcessingFee'];
        $this->ledger->deduct($body['redeemCode'], $uid, $points, self::fingerprint($body, self::RECORD_FIELDS));
        return self::DONE;
    }

    private function updateRedeemStatus(?string $caller, array $body): array
    {
        $redeemCode = self::text($body, 'redeemCode');
        $projectCode = self::text($body, 'projectCode');
        self::anyText($body, 'remark');
        [$status, $orderStatus] = [self::text($body, 'status'), self::text($body, 'orderStatus')];
        if (!in_array($status, self::STATUSES, true) || !in_array($orderStatus, self::STATUSES, true)) {
            throw Refused::mandatory();
        }
        if ($status !== $orderStatus) {
            throw new Refused(422, 'status and orderStatus differ.');
        }
        if ($projectCode !== $this->projectCode) {
            throw new Refused(422, 'Unknown project.');
        }
        $this->ledger->report($redeemCode, $status);
        return self::DONE;
    }

    private function generateOtp(?string $caller, array $body): array
    {
        $uid = self::text($body, 'customer_id');
        $number = $this->ledger->find($uid)['profile']['mobileNo'];
        [$code, $reference] = $this->otps->make($uid);
        $this->gateway->send($number, "$code is your one-time password. It is valid for 5 minutes.", $uid, $reference);
        $mobile = str_pad(substr($number, -4), strlen($number), '*', STR_PAD_LEFT);
        $sent = ['reference_id' => $reference, 'expires_in' => OneTimePasswords::OTP_SECONDS, 'mobile' => $mobile];
        return self::DONE + $sent;
    }

    private function verifyOtp(?string $caller, array $body): array
    {
        $uid = self::text($body, 'customer_id');
        $code = self::text($body, 'otp');
        $this->otps->use($uid, $code, self::text($body, 'reference_id'));
        $token = ['token' => $this->tokens->sign($uid), 'token_type' => 'Bearer', 'expires_in' => Tokens::seconds()];
        return self::DONE + $token + ['points' => $this->ledger->find($uid)['points']];
    }

    private function getCustomerPoints(?string $caller, array $query): array
    {
        $uid = self::ownUid($caller, self::text($query, 'customer_id'));
        return ['customer_id' => $uid, 'points' => $this->ledger->find($uid)['points']];
    }

    private function redeemPoints(?string $caller, array $body): array
    {
        self::text($body, 'order_id');
        $redeemCode = self::text($body, 'redeem_code');
        $points = self::wholePoints($body);
        $uid = self::ownUid($caller, self::text($body, 'customer_id'));
        $values = self::fingerprint($body, ['customer_id', 'order_id', 'points']);
        return self::DONE + ['balance' => $this->ledger->deduct($redeemCode, $uid, $points, $values)];
    }

    private function reversePoints(?string $caller, array $body): array
    {
        $redeemCode = self::text($body, 'redeem_code');
        self::anyText($body, 'reason');
        return self::DONE + ['balance' => $this->ledger->reverse($redeemCode, self::wholePoints($body))];
    }

    /** Checks that both totals of a redemption record equal the sums of their parts. */
    private static function addsUp(array $body): bool
    {
        $tds = self::wholeNumber($body, 'tdsSingleItem', 0);
        $quantity = self::wholeNumber($body, 'quantity', 1);
        $total = self::wholeNumber($body, 'totalpoints', 1);
        $points = self::wholeNumber($body, 'redeemPoints', 1);
        $fee = self::wholeNumber($body, 'processingFee', 0);
        $withFee = self::wholeNumber($body, 'totalPointWithProcessingFee', 1);
        // Compare by division, because the product could overflow an integer.
        $fits = $tds === 0 || $quantity <= intdiv($total, $tds);
        return $fits && $points + $tds * $quantity === $total && $total + $fee === $withFee;
    }

    /** Returns the customer of a call. Refuses callers that may not act for that customer. */
    private static function ownUid(?string $caller, string $uid): string
    {
        if ($caller !== null && $caller !== $uid) {
            throw Refused::tokenInvalid();
        }
        return $uid;
    }

    private static function text(array $body, string $name): string
    {
        $text = self::anyText($body, $name);
        return $text === '' ? throw Refused::mandatory() : $text;
    }

    private static function anyText(array $body, string $name): string
    {
        $text = $body[$name] ?? null;
        return is_string($text) ? $text : throw Refused::mandatory();
    }

    /** Parses a whole number in text form, without sign, spaces or leading zeros. */
    private static function wholeNumber(array $body, string $name, int $least): int
    {
        $text = self::text($body, $name);
        if (!preg_match('/^(0|[1-9][0-9]{0,14})$/D', $text) || (int) $text < $least) {
            throw Refused::mandatory();
        }
        return (int) $text;
    }

    /** Validates points of version 2.0, which are JSON numbers. */
    private static function wholePoints(array $body): int
    {
        $points = $body['points'] ?? null;
        if (!is_int($points) || $points < 0 || $points > Ledger::MOST_POINTS) {
            throw Refused::mandatory();
        }
        return $points;
    }

    /** Returns a fingerprint of the values of these fields. */
    private static function fingerprint(array $body, array $names): string
    {
        return json_encode(array_map(fn (string $name): mixed => $body[$name], $names), JSON_THROW_ON_ERROR);
    }
}
