/** Stands for the element's class on a server, where there is no page: it can be imported and extended, and does nothing. */
// oxlint-disable-next-line typescript/no-extraneous-class -- the real one has all there is
export class PartnerDialer {}
