// The sizes that LLVM gives the elements of arrays, by MLIR's own conversion, are the reference.
#include "mlir/lowering/element.h"

#include <gtest/gtest.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/LLVMContext.h>
#include <mlir/Conversion/LLVMCommon/TypeConverter.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Target/LLVMIR/TypeToLLVM.h>

#include "mlir/lowering/context.h"

namespace ordo::lowering {
namespace {

TEST(ElementBytes, AreThoseOfArraysOfLlvm) {
  Workshop workshop;
  mlir::MLIRContext& context = workshop.context().mlir;
  context.loadDialect<mlir::LLVM::LLVMDialect>();
  const mlir::LLVMTypeConverter converter(&context);
  llvm::LLVMContext llvm;
  mlir::LLVM::TypeToLLVMIRTranslator translator(llvm);
  const llvm::DataLayout layout(
      "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128");
  mlir::Builder builder(&context);
  std::vector<mlir::Type> types = {builder.getIndexType(),
                                   builder.getBF16Type(),
                                   builder.getF16Type(),
                                   builder.getF32Type(),
                                   builder.getF64Type(),
                                   mlir::Float8E4M3FNType::get(&context),
                                   mlir::ComplexType::get(builder.getF32Type()),
                                   mlir::ComplexType::get(builder.getF64Type())};
  for (unsigned bits = 1; bits <= 64; ++bits) types.push_back(builder.getIntegerType(bits));
  for (const mlir::Type type : types) {
    const std::uint64_t theirs =
        layout.getTypeAllocSize(translator.translateType(converter.convertType(type))).getFixedValue();
    std::string name;
    llvm::raw_string_ostream(name) << type;
    ASSERT_TRUE(elementBytes(type)) << name;
    EXPECT_EQ(static_cast<std::uint64_t>(*elementBytes(type)), theirs) << name;
  }
  EXPECT_FALSE(elementBytes(builder.getIntegerType(128)));
  EXPECT_FALSE(elementBytes(builder.getNoneType()));
}

}  // namespace
}  // namespace ordo::lowering
