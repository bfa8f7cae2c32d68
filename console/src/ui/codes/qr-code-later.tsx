import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '../lazy-component';
import type { QrCode } from './qr-code';
import style from './qr-code.module.css';

const Code = lazyComponent<ComponentProps<typeof QrCode>>(() =>
  import('./qr-code').then((found) => found.QrCode),
);

/** A QR code whose encoder is loaded with the first one, for pages that rarely show any. */
export const QrCodeLater = (props: ComponentProps<typeof QrCode>) => (
  <Suspense fallback={<div className={style.place} />}>
    <Code {...props} />
  </Suspense>
);
