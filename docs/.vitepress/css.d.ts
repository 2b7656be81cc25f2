/** Style sheets that the site generator bundles into the pages. */
declare module '*.css';
