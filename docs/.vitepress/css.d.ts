/** Styles are put into the page by the site's generator. */
declare module '*.css';
