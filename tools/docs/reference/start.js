// Before the page is drawn: applies the reader's choice of light or dark from the guides, and notes whether the address names a place.
{
  const chosen = localStorage.getItem('vitepress-theme-appearance');
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  if (chosen === 'light' || chosen === 'dark') localStorage.setItem('redoc.colorMode', chosen);
  else localStorage.removeItem('redoc.colorMode');
  document.documentElement.classList.add(dark ? 'dark' : 'light');
  if (location.hash.length > 1) document.documentElement.classList.add('has-fragment');
}
