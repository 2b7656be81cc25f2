package com.example.points;

import static com.example.points.CalledBy.Party.CUSTOMER_OR_PLATFORM;
import static com.example.points.CalledBy.Party.PLATFORM;

import com.example.points.contract.client.CreditPointsEvent;
import com.example.points.contract.client.Done;
import com.example.points.contract.client.OrderStatus;
import com.example.points.contract.client.Points;
import com.example.points.contract.client.PointsApi;
import com.example.points.contract.client.ProfileAndPoints;
import com.example.points.contract.client.RedemptionRecord;
import com.example.points.contract.client.RedemptionsApi;
import com.example.points.contract.client.StatusUpdate;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** The operations for profile and points, credits, deductions and status updates. */
@RestController
class PointsController implements PointsApi, RedemptionsApi {
    private static final Done DONE = new Done(true, Done.StatusEnum.NUMBER_200);

    private final Ledger ledger;
    private final Caller caller;
    private final Settings settings;

    PointsController(Ledger ledger, Caller caller, Settings settings) {
        this.ledger = ledger;
        this.caller = caller;
        this.settings = settings;
    }

    @Override
    @CalledBy(CUSTOMER_OR_PLATFORM)
    public ResponseEntity<ProfileAndPoints> getProfileAndPoints(String uid) {
        Fields.mustHaveText(uid);
        caller.mustBeAllowed(uid);
        var profile = ledger.profile(uid).projectCode(settings.projectCode());
        var account = ledger.account(uid);
        var points = new Points(account.earned(), account.balance(), account.redeemed());
        return ResponseEntity.ok(new ProfileAndPoints(profile, points));
    }

    @Override
    @CalledBy(PLATFORM)
    public ResponseEntity<Done> creditPoints(CreditPointsEvent event) {
        Fields.mustHaveText(event.getUid(), event.getEventType(), event.getTransactionId());
        Fields.mustBeAmount(event.getPaymentAmount());
        long points = Fields.wholeNumber(event.getPoints(), 0);
        ledger.credit(event.getTransactionId(), event.getUid(), points, event);
        return ResponseEntity.ok(DONE);
    }

    @Override
    @CalledBy(CUSTOMER_OR_PLATFORM)
    public ResponseEntity<Done> saveRedeemDetails(RedemptionRecord redemption) {
        String uid = redemption.getUid();
        Fields.mustHaveText(
                uid, redemption.getScheme(), redemption.getRedeemCode(), redemption.getProductCode(), redemption.getProductName());
        boolean addsUp = addsUp(redemption);
        caller.mustBeAllowed(uid);
        ledger.account(uid);
        if (!redemption.getScheme().equals(settings.projectCode())) throw new Refused("Unknown project.");
        if (!addsUp) throw new Refused("Points do not add up.");
        long points = Fields.wholeNumber(redemption.getTotalPointWithProcessingFee(), 1);
        ledger.deduct(redemption.getRedeemCode(), uid, points, redemption);
        return ResponseEntity.ok(DONE);
    }

    @Override
    @CalledBy(PLATFORM)
    public ResponseEntity<Done> updateRedeemStatus(StatusUpdate update) {
        Fields.mustHaveText(update.getRedeemCode(), update.getProjectCode());
        OrderStatus status = update.getStatus();
        if (status != update.getOrderStatus()) throw new Refused("status and orderStatus differ.");
        if (!update.getProjectCode().equals(settings.projectCode())) throw new Refused("Unknown project.");
        ledger.report(update.getRedeemCode(), status);
        return ResponseEntity.ok(DONE);
    }

    /** Checks that both totals of a redemption record equal the sums of their parts. */
    private static boolean addsUp(RedemptionRecord redemption) {
        long points = Fields.wholeNumber(redemption.getRedeemPoints(), 1);
        long tds = Fields.wholeNumber(redemption.getTdsSingleItem(), 0);
        long quantity = Fields.wholeNumber(redemption.getQuantity(), 1);
        long fee = Fields.wholeNumber(redemption.getProcessingFee(), 0);
        long total = Fields.wholeNumber(redemption.getTotalpoints(), 1);
        long withFee = Fields.wholeNumber(redemption.getTotalPointWithProcessingFee(), 1);
        // Compare by division, because the product could overflow a long.
        boolean fits = tds == 0 || quantity <= total / tds;
        return fits && points + tds * quantity == total && total + fee == withFee;
    }
}
