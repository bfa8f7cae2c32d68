/** Parts of the page that the build renders and no script changes, as HTML. In the browser they are empty: what is there stays. */
export interface Stills {
  readonly samples: string;
  readonly chain: string;
  readonly pairing: string;
}

export const NO_STILLS: Stills = { samples: '', chain: '', pairing: '' };

// Hydration keeps this HTML as it is, so neither its code nor its data is loaded.
export const Still = ({ html }: { readonly html: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made by the build from our own files
  <div suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />
);
