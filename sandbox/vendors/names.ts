/** The three vendors, and the code under which each shows in voucher records. */
export const vendorCodes = {
  egift: 'VENDOR-EGIFT',
  merchandise: 'VENDOR-MERCH',
  services: 'VENDOR-SERVICES',
} as const;

export type VendorName = keyof typeof vendorCodes;
