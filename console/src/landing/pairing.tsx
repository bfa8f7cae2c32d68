import { QrCode } from '../ui/codes/qr-code';

/** A desktop that shows a code, and the phone that approves it. */
export const Pairing = () => (
  <div className="pairing">
    <div className="desktop">
      <div className="dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </div>
      <strong>Sign in to Acme</strong>
      <p>Scan this code with your phone.</p>
      <QrCode
        text="svc://pair?session=019dc91f-d5c0-794b-8452-a6702a7266af&nonce=5b2e3c0a-9d41-4f6e-8c77-0d1f5a2b9e64"
        label="A QR code"
      />
    </div>
    <div className="approval">
      <p>Acme wants to sign in</p>
      <strong>Desktop at reception</strong>
      <span className="approved">
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="m3.5 8.5 3 3 6-6.5" />
        </svg>
        Approved
      </span>
    </div>
  </div>
);
