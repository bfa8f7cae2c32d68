/**
 * What this installation is called. The service writes it into the page. The build renders the landing page with the placeholder, and
 * a page that the service doesn't send has the default.
 */
export const productName: string =
  typeof document === 'undefined'
    ? '{{product-name}}'
    : (document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? 'Identity');
