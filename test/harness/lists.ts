/**
 * Everything that a list of the control API holds: where it comes in pages, each page says what to give as `after` for
 * the next (OP-82). Of what is numbered, the newest page alone comes, unless the address itself begins with `after=0`.
 *
 * @param address of the list, with its query
 */
export async function listed<Item>(address: string, token: string): Promise<Item[]> {
  const items: Item[] = [];
  const url = new URL(address);
  for (let next: string | number | null | undefined; next !== null; ) {
    if (next !== undefined) url.searchParams.set('after', String(next));
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
    const page = (await response.json()) as { items: Item[]; next?: string | number | null };
    items.push(...page.items);
    next = page.next ?? null;
  }
  return items;
}
