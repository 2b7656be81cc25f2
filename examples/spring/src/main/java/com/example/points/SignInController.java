package com.example.points;

import static com.example.points.CalledBy.Party.MICROSITE;

import com.example.points.contract.v2.CustomerSignInApi;
import com.example.points.contract.v2.OtpRequest;
import com.example.points.contract.v2.OtpSent;
import com.example.points.contract.v2.OtpVerification;
import com.example.points.contract.v2.SignedIn;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Signs in a customer in two steps, with a one-time password. */
@RestController
class SignInController implements CustomerSignInApi {
    private final Ledger ledger;
    private final OneTimePasswords passwords;
    private final MessageGateway gateway;
    private final Tokens tokens;
    private final Settings settings;

    SignInController(
            Ledger ledger, OneTimePasswords passwords, MessageGateway gateway, Tokens tokens, Settings settings) {
        this.ledger = ledger;
        this.passwords = passwords;
        this.gateway = gateway;
        this.tokens = tokens;
        this.settings = settings;
    }

    @Override
    @CalledBy(MICROSITE)
    public ResponseEntity<OtpSent> generateOtp(OtpRequest request) {
        String uid = request.getCustomerId();
        Fields.mustHaveText(uid);
        String number = ledger.profile(uid).getMobileNo();
        var made = passwords.make(uid);
        gateway.send(number, made.code() + " is your one-time password. It is valid for 5 minutes.", uid, made.reference());
        int hidden = Math.max(0, number.length() - 4);
        String mobile = "*".repeat(hidden) + number.substring(hidden);
        return ResponseEntity.ok(
                new OtpSent(true, OtpSent.StatusEnum.NUMBER_200, made.reference(), OneTimePasswords.SECONDS, mobile));
    }

    @Override
    @CalledBy(MICROSITE)
    public ResponseEntity<SignedIn> verifyOtp(OtpVerification verification) {
        String uid = verification.getCustomerId();
        Fields.mustHaveText(uid, verification.getOtp(), verification.getReferenceId());
        passwords.use(uid, verification.getOtp(), verification.getReferenceId());
        return ResponseEntity.ok(new SignedIn(
                true,
                SignedIn.StatusEnum.NUMBER_200,
                tokens.sign(uid),
                SignedIn.TokenTypeEnum.BEARER,
                settings.tokenSeconds(),
                ledger.account(uid).toV2()));
    }
}
