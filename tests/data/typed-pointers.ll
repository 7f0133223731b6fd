; Typed pointers, as LLVM wrote them until version 14. typed-pointers.bc is what llvm-as-14 made of this file.
source_filename = "typed-pointers.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%node = type { i32, %node* }

@head = global %node* null

define i32 @sum(%node* %list) {
entry:
  br label %loop

loop:
  %at = phi %node* [ %list, %entry ], [ %next, %body ]
  %total = phi i32 [ 0, %entry ], [ %more, %body ]
  %end = icmp eq %node* %at, null
  br i1 %end, label %done, label %body

body:
  %value.place = getelementptr %node, %node* %at, i32 0, i32 0
  %value = load i32, i32* %value.place
  %more = add i32 %total, %value
  %next.place = getelementptr %node, %node* %at, i32 0, i32 1
  %next = load %node*, %node** %next.place
  br label %loop

done:
  %bytes = bitcast %node** @head to i8*
  call void @llvm.memset.p0i8.i64(i8* %bytes, i8 0, i64 8, i1 false)
  ret i32 %total
}

declare void @llvm.memset.p0i8.i64(i8* nocapture writeonly, i8, i64, i1 immarg)
