package com.example.points;

import static com.example.points.CalledBy.Party.CUSTOMER_OR_PLATFORM;
import static com.example.points.CalledBy.Party.PLATFORM;

import com.example.points.contract.v2.Booked;
import com.example.points.contract.v2.CustomerPoints;
import com.example.points.contract.v2.Deduction;
import com.example.points.contract.v2.LedgerApi;
import com.example.points.contract.v2.PointsApi;
import com.example.points.contract.v2.Reversal;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** The operations of version 2.0 for points, deductions and reversals. */
@RestController
class PointsV2Controller implements PointsApi, LedgerApi {
    private final Ledger ledger;
    private final Caller caller;

    PointsV2Controller(Ledger ledger, Caller caller) {
        this.ledger = ledger;
        this.caller = caller;
    }

    @Override
    @CalledBy(CUSTOMER_OR_PLATFORM)
    public ResponseEntity<CustomerPoints> getCustomerPoints(String uid) {
        Fields.mustHaveText(uid);
        caller.mustBeAllowed(uid);
        return ResponseEntity.ok(new CustomerPoints(uid, ledger.account(uid).toV2()));
    }

    @Override
    @CalledBy(CUSTOMER_OR_PLATFORM)
    public ResponseEntity<Booked> redeemPoints(Deduction deduction) {
        String uid = deduction.getCustomerId();
        Fields.mustHaveText(uid, deduction.getOrderId(), deduction.getRedeemCode());
        long points = Fields.points(deduction.getPoints(), 0);
        caller.mustBeAllowed(uid);
        return booked(ledger.deduct(deduction.getRedeemCode(), uid, points, deduction));
    }

    @Override
    @CalledBy(PLATFORM)
    public ResponseEntity<Booked> reversePoints(Reversal reversal) {
        Fields.mustHaveText(reversal.getRedeemCode());
        return booked(ledger.reverse(reversal.getRedeemCode(), Fields.points(reversal.getPoints(), 0)));
    }

    private static ResponseEntity<Booked> booked(long balance) {
        return ResponseEntity.ok(new Booked(true, Booked.StatusEnum.NUMBER_200, balance));
    }
}
