// Runs before the first paint: applies the reader's light/dark choice from the guides, and records whether the URL has a fragment.
{
  const chosen = localStorage.getItem('vitepress-theme-appearance');
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  if (chosen === 'light' || chosen === 'dark') localStorage.setItem('redoc.colorMode', chosen);
  else localStorage.removeItem('redoc.colorMode');
  document.documentElement.classList.add(dark ? 'dark' : 'light');
  if (location.hash.length > 1) document.documentElement.classList.add('has-fragment');
}
