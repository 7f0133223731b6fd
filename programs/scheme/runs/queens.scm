; The number of ways to place queens, by lists.
(define (range from to) (if (> from to) '() (cons from (range (+ from 1) to))))
(define (safe? column distance placed)
  (cond ((null? placed) #t)
        ((= (car placed) column) #f)
        ((= (car placed) (+ column distance)) #f)
        ((= (car placed) (- column distance)) #f)
        (else (safe? column (+ distance 1) (cdr placed)))))
(define (place left columns placed)
  (if (= left 0)
      1
      (let loop ((rest columns) (count 0))
        (if (null? rest)
            count
            (loop (cdr rest)
                  (+ count
                     (if (safe? (car rest) 1 placed)
                         (place (- left 1) columns (cons (car rest) placed))
                         0)))))))
(display (place 7 (range 1 7) '()))
(newline)
