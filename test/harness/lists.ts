/**
 * Returns all items in a control API list. Each page contains the `after` value for the next one (OP-82). A numbered list returns only its
 * newest page unless the address includes `after=0`.
 *
 * @param address the list's address, with its query
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
