import { t } from '../../language/strings';
import { ServiceHost } from './company';
import style from './company.module.css';

/** The service that a code is sent to, before the company is known: the code alone does not name it. */
export const Service = ({ code }: { readonly code: string }) => (
  <div className={style.asking}>
    <strong className={style.name}>
      <ServiceHost />
    </strong>
    <span className={style.host}>
      {t.register.code} <code>{code}</code>
    </span>
  </div>
);
