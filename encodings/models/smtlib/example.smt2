; mmsat 2x2/12=0.2/11=?.0
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-fun peg1color1 () Bool)
(declare-fun peg1color2 () Bool)
(declare-fun peg2color1 () Bool)
(declare-fun peg2color2 () Bool)
; the number of pegs of each color
(define-fun color1 () Int (+ (ite peg1color1 1 0) (ite peg2color1 1 0)))
(define-fun color2 () Int (+ (ite peg1color2 1 0) (ite peg2color2 1 0)))
; one color per peg
(assert (= (+ (ite peg1color1 1 0) (ite peg1color2 1 0)) 1))
(assert (= (+ (ite peg2color1 1 0) (ite peg2color2 1 0)) 1))
; row 1
(assert (= (+ (ite peg1color1 1 0) (ite peg2color2 1 0)) 0))
(assert (= (- (+ (ite (< color1 1) color1 1) (ite (< color2 1) color2 1)) (+ (ite peg1color1 1 0) (ite peg2color2 1 0))) 2))
; row 2
(assert (= (- (ite (< color1 2) color1 2) (+ (ite peg1color1 1 0) (ite peg2color1 1 0))) 0))
(check-sat)
(get-value (peg1color1 peg1color2 peg2color1 peg2color2))
