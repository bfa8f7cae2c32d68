import { classes } from '../../ui/layout/classes';
import { partsOf } from '../nouns/webhook-host';
import style from './webhooks.module.css';

/** A URL, of which the host stands out. */
export function WebhookUrl({ of, brief = false }: { readonly of: string; readonly brief?: boolean }) {
  const { before, host, after } = partsOf(of);
  return (
    <bdi dir="ltr" className={classes(style.url, brief && style.brief)} title={brief ? of : undefined}>
      <span>{before}</span>
      <strong>{host}</strong>
      <span>{after}</span>
    </bdi>
  );
}
