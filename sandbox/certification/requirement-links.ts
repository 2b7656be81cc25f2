/** How requirements depend on each other. Editions are frozen files, so the links stand here, by id. */

type Links = Readonly<Record<string, readonly string[]>>;

const orders = ['DED-01'];
const reversedOrders = ['DED-01', 'STA-01'];

/** What has to hold before a requirement can fail by itself: where one of these failed, it is blocked. */
export const prerequisites: Links = {
  'SHP-03': ['SHP-01'],
  'SHP-17': ['V2-01'],
  'OTP-01': ['BAS-05'],
  'V2-04': ['V2-02'],
  'V2-05': ['V2-02'],
  'V2-06': ['V2-02'],
  'V2-15': ['V2-02', 'V2-03'],
  'V2-16': ['V2-02'],
  'JRN-01': orders,
  'JRN-02': reversedOrders,
  'JRN-03': orders,
  'JRN-04': reversedOrders,
  'JRN-05': reversedOrders,
  'JRN-06': reversedOrders,
  'JRN-07': ['CRD-01'],
  'JRN-08': reversedOrders,
  'JRN-09': reversedOrders,
  'JRN-10': reversedOrders,
  'JRN-11': ['OTP-01', 'TOK-09', 'TOK-16', ...orders],
  'JRN-12': ['V2-01', 'V2-02'],
  'JRN-13': ['V2-01', 'V2-02', 'V2-03'],
  'JRN-14': reversedOrders,
};

/** What shows the same mistake more plainly: where one of these failed, both are one cause. */
export const explainedBy: Links = {
  'CRD-03': ['CRD-02'],
  'CRD-04': ['CRD-02'],
  'CRD-05': ['CRD-02'],
  'CRD-07': ['CRD-02', 'CRD-04'],
  'CRD-08': ['CRD-02', 'CRD-04'],
  'CRD-09': ['CRD-02', 'CRD-04'],
  'DED-03': ['DED-02', 'DED-08'],
  'DED-05': ['DED-02'],
  'DED-07': ['DED-06'],
  'DED-08': ['DED-09'],
  'DED-11': ['DED-08'],
  'DED-12': ['TOK-16'],
  'STA-04': ['STA-02'],
  'STA-05': ['STA-02'],
  'STA-09': ['STA-08'],
  'STA-10': ['STA-08'],
  // Both versions book in one ledger.
  'V2-04': ['DED-02'],
  'V2-05': ['V2-04', 'DED-03'],
  'V2-06': ['V2-04'],
  'V2-07': ['V2-08', 'DED-08'],
  'V2-08': ['DED-09'],
  'V2-11': ['STA-02'],
  'V2-12': ['V2-11', 'STA-04'],
  'V2-15': ['STA-11'],
  'OTP-19': ['OTP-06'],
  'ROB-05': ['ROB-06'],
  'JRN-01': ['STA-06'],
  'JRN-03': ['DED-02', 'DED-04', 'STA-06'],
  'JRN-04': ['DED-02', 'STA-02'],
  'JRN-05': ['DED-02', 'STA-12'],
  'JRN-06': ['STA-02', 'STA-03'],
  'JRN-07': ['CRD-02', 'CRD-05', 'CRD-06'],
  'JRN-08': ['STA-06'],
  'JRN-10': ['STA-06', 'STA-12'],
  'JRN-11': ['STA-06'],
  'JRN-13': ['V2-04', 'V2-11'],
  'JRN-14': ['DED-02', 'DED-04', 'STA-02', 'STA-03'],
};
