const content =
  typeof document === 'undefined'
    ? undefined
    : document.querySelector<HTMLMetaElement>('meta[name="support-url"]')?.content;

/** Where accounts ask for help, which the service writes into the page. Undefined if the operator has set none. */
export const supportUrl: string | undefined = content?.startsWith('{{') ? undefined : content || undefined;
