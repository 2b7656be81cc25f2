/**
 * Everything that a list of the control API holds: where it comes in pages, each page names the cursor of the next.
 *
 * @param address of the list, with its query
 */
export async function listed<Item>(address: string, token: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null | undefined = ''; typeof cursor === 'string'; ) {
    const url = new URL(address);
    if (cursor !== '') url.searchParams.set('cursor', cursor);
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
    const page = (await response.json()) as { items: Item[]; next_cursor?: string | null };
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}
