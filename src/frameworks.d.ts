/** The bare tag in React's JSX and in Vue's templates, known as soon as anything of this package is imported. */
import type { PartnerDialer } from './element.ts';
import type {
  DialerProperties,
  DialerTagAttributes,
  DialerTagListeners,
  DialerTemplateListeners,
} from './element/public-names.ts';

type JsxTag = DialerProperties & DialerTagAttributes & DialerTagListeners;
type TemplateTag = DialerProperties & DialerTemplateListeners;

// A page has one of the two, or none; what is not installed cannot be augmented.
// @ts-ignore
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      // @ts-ignore
      'partner-dialer': JsxTag &
        // @ts-ignore
        Omit<DetailedHTMLProps<HTMLAttributes<PartnerDialer>, PartnerDialer>, keyof JsxTag>;
    }
  }
}

// @ts-ignore
declare module 'vue' {
  interface GlobalComponents {
    'partner-dialer': new () => PartnerDialer & {
      // @ts-ignore
      readonly $props: TemplateTag & Omit<HTMLAttributes, 'lang'> & VNodeProps & AllowedComponentProps;
    };
  }
}
