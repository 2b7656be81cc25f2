/** Opens the search where the address asks for it, as the reference's link to it does, which has no search of its own. */
export function openSearchAskedFor(): void {
  const address = new URL(location.href);
  if (!address.searchParams.has('search')) return;
  address.searchParams.delete('search');
  history.replaceState(history.state, '', address);
  document.querySelector<HTMLElement>('.DocSearch-Button')?.click();
}
