/** Where the guide says more about it. */
export const Code = ({ of }: { readonly of: string }) => (
  <a href="/docs/hours-file#what-it-finds">
    <code>{of}</code>
  </a>
);
