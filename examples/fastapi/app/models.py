"""Requests and replies, with the names of the contract.

Requests are strict: numbers and strings are never converted. Unknown fields are ignored.
"""

import re
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

# The maximum number of points that fits the text format (15 digits).
MOST_POINTS = 999_999_999_999_999


def parse_whole_number(value: object) -> int:
    """Parses a whole number in text form, without sign, spaces or leading zeros."""
    if not isinstance(value, str) or not re.fullmatch(r"0|[1-9][0-9]{0,14}", value):
        raise ValueError("must be a whole number in text form")
    return int(value)


Text = Annotated[str, Field(min_length=1)]
NumericText = Annotated[int, BeforeValidator(parse_whole_number)]
PositiveNumericText = Annotated[int, BeforeValidator(parse_whole_number), Field(ge=1)]
AmountText = Annotated[str, Field(pattern=r"^(0|[1-9][0-9]{0,12})(\.[0-9]{1,2})?$")]
WholePoints = Annotated[int, Field(ge=0, le=MOST_POINTS)]
OrderStatus = Literal["Pending", "Delivered", "Rejected"]


class Request(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)


class CreditPointsEvent(Request):
    uid: Text
    eventType: Text
    transactionId: Text
    paymentAmount: AmountText
    points: NumericText


class RedemptionRecord(Request):
    uid: Text
    scheme: Text
    redeemCode: Text
    redeemPoints: PositiveNumericText
    shippingAddress: str
    processingFee: NumericText
    productCode: Text
    productName: Text
    quantity: PositiveNumericText
    redeemStatus: Literal["pending"]
    email: str
    mobileNo: str
    totalpoints: PositiveNumericText
    totalPointWithProcessingFee: PositiveNumericText
    tdsSingleItem: NumericText

    def adds_up(self) -> bool:
        """Checks that both totals equal the sums of their parts."""
        total = self.redeemPoints + self.tdsSingleItem * self.quantity
        return self.totalpoints == total and self.totalPointWithProcessingFee == total + self.processingFee


class StatusUpdate(Request):
    redeemCode: Text
    status: OrderStatus
    orderStatus: OrderStatus
    remark: str
    projectCode: Text


class OtpRequest(Request):
    customer_id: Text


class OtpVerification(Request):
    customer_id: Text
    otp: Text
    reference_id: Text


class Deduction(Request):
    customer_id: Text
    order_id: Text
    redeem_code: Text
    points: WholePoints


class Reversal(Request):
    redeem_code: Text
    points: WholePoints
    reason: str


class Profile(BaseModel):
    uid: str
    name: str
    email: str
    mobileNo: str
    dob: str
    address1: str
    address2: str
    city: str
    pincode: int
    state: int
    cus_type: str
    partnerType: str
    pan: str
    panVerifiedStatus: str
    mdate: str
    projectCode: str
    projectName: str
    projectId: int


class Points(BaseModel):
    totalEarned: int
    balance: int
    totalRedeemed: int


class ProfileAndPoints(BaseModel):
    profile: Profile
    points: Points


class CustomerPoints(BaseModel):
    customer_id: str
    points: Points


class Done(BaseModel):
    success: Literal[True] = True
    status: Literal[200] = 200


class Booked(Done):
    balance: int


class OtpSent(Done):
    reference_id: str
    expires_in: int
    mobile: str


class SignedIn(Done):
    token: str
    token_type: Literal["Bearer"] = "Bearer"
    expires_in: int
    points: Points
