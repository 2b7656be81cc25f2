"""Sign-in in two steps with a one-time password."""

from fastapi import APIRouter

from ..dependencies import GatewayDep, LedgerDep, OneTimePasswordsDep, TokensDep, microsite_only
from ..json_route import JsonRoute
from ..models import OtpRequest, OtpSent, OtpVerification, SignedIn
from ..otp import OTP_SECONDS

router = APIRouter(prefix="/api/v1/auth", route_class=JsonRoute, dependencies=[microsite_only])


@router.post("/generate-otp")
def generate_otp(
    request: OtpRequest, ledger: LedgerDep, one_time_passwords: OneTimePasswordsDep, gateway: GatewayDep
) -> OtpSent:
    uid = request.customer_id
    number = ledger.find(uid).profile.mobileNo
    code, reference = one_time_passwords.make(uid)
    gateway.send(number, f"{code} is your one-time password. It is valid for 5 minutes.", uid, reference)
    return OtpSent(reference_id=reference, expires_in=OTP_SECONDS, mobile=number[-4:].rjust(len(number), "*"))


@router.post("/verify-otp")
def verify_otp(
    verification: OtpVerification, ledger: LedgerDep, one_time_passwords: OneTimePasswordsDep, tokens: TokensDep
) -> SignedIn:
    uid = verification.customer_id
    one_time_passwords.use(uid, verification.otp, verification.reference_id)
    return SignedIn(token=tokens.sign(uid), expires_in=tokens.seconds, points=ledger.find(uid).points)
