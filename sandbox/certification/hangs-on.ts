/** Requirements that others hang on: reading a balance, a credit, a deduction, a status, signing in. */
export const hangsOn = {
  profile: 'SHP-01',
  credit: 'CRD-01',
  deduction: 'DED-01',
  rejection: 'STA-01',
  signIn: 'OTP-01',
  v2Points: 'V2-01',
  v2Deduction: 'V2-02',
  v2Reversal: 'V2-03',
} as const;
